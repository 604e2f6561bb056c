// SPDX-License-Identifier: Apache-2.0
// A small checker of well-formed XML, for what we write: elements balance, attributes are quoted
// and unique, text holds only known entities.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

/// What is wrong with the document; empty if nothing is.
inline std::string xml_problem(std::string_view xml) {
  std::vector<std::string> open;
  bool had_root = false;
  const auto entities_known = [](std::string_view text) {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
      const auto rest = text.substr(at);
      bool known = false;
      for (const std::string_view entity : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"})
        known = known || rest.substr(0, entity.size()) == entity;
      if (!known) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] != '<') {
      const auto end = std::min(xml.find('<', i), xml.size());
      const auto text = xml.substr(i, end - i);
      if (!entities_known(text)) return "a bare & in text";
      if (open.empty() && text.find_first_not_of(" \n") != text.npos)
        return "text outside the root";
      i = end;
      continue;
    }
    // Up to the '>' that isn't inside a quoted value.
    char quote = 0;
    std::size_t end = i + 1;
    for (; end < xml.size() && (quote != 0 || xml[end] != '>'); ++end) {
      if (quote == 0 && (xml[end] == '"' || xml[end] == '\''))
        quote = xml[end];
      else if (xml[end] == quote)
        quote = 0;
      else if (xml[end] == '<')
        return "a < inside a tag";
    }
    if (end == xml.size()) return "a tag that doesn't end";
    std::string_view tag = xml.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.substr(0, 1) == "?") continue;
    if (tag.substr(0, 1) == "/") {
      if (open.empty() || open.back() != tag.substr(1))
        return "a wrong end tag: " + std::string(tag);
      open.pop_back();
      continue;
    }
    const bool empty = tag.back() == '/';
    if (empty) tag.remove_suffix(1);
    const auto name_end = std::min(tag.find(' '), tag.size());
    const std::string name(tag.substr(0, name_end));
    if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) return "a nameless tag";
    std::set<std::string> attributes;
    for (auto rest = tag.substr(name_end); !rest.empty();) {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      if (rest.empty()) break;
      const auto equals = rest.find("=\"");
      if (equals == rest.npos) return "an attribute without a quoted value in " + name;
      if (!attributes.insert(std::string(rest.substr(0, equals))).second)
        return "an attribute twice in " + name;
      const auto close = rest.find('"', equals + 2);
      if (close == rest.npos || !entities_known(rest.substr(equals + 2, close - equals - 2)))
        return "a bad attribute value in " + name;
      rest.remove_prefix(close + 1);
    }
    if (open.empty() && had_root) return "a second root";
    had_root = true;
    if (!empty) open.push_back(name);
  }
  if (!open.empty()) return "not closed: " + open.back();
  return had_root ? "" : "no root";
}

/// The values of one attribute on all elements of a name, in document order.
inline std::vector<std::string> xml_attributes(std::string_view xml,
                                               const std::string& element,
                                               const std::string& attribute) {
  std::vector<std::string> values;
  const std::string begin = "<" + element + " ";
  for (auto at = xml.find(begin); at != xml.npos; at = xml.find(begin, at + 1)) {
    const auto tag = xml.substr(at, xml.find('>', at) - at);
    const auto key = tag.find(" " + attribute + "=\"");
    if (key == tag.npos) continue;
    const auto from = key + attribute.size() + 3;
    values.emplace_back(tag.substr(from, tag.find('"', from) - from));
  }
  return values;
}

}  // namespace posse
