#include "program/page/page.hpp"

namespace posse {

std::string page_html(std::string_view boot_json, std::string_view nonce) {
  std::string json;
  for (const char c : boot_json) json += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Posse</title>"
         "<style nonce=\"" +
         std::string(nonce) +
         "\"></style></head><body>\n<script type=\"application/json\" id=\"posse-boot\">" + json +
         "</script>\n</body></html>\n";
}

}  // namespace posse
