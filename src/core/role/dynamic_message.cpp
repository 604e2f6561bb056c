// SPDX-License-Identifier: Apache-2.0
#include "core/role/dynamic_message.hpp"

#include <utility>

#include "core/base/check.hpp"

namespace posse {

std::uint64_t DynamicMessage::values() const {
  std::uint64_t count = 0;
  for (const auto& field : fields)
    count += std::visit(
        []<class T>(const T& value) -> std::uint64_t {
          if constexpr (std::is_arithmetic_v<T>)
            return 1;
          else
            return value.size();
        },
        field);
  return count;
}

const DynamicMessage& DynamicMessageType::content_of(const Payload& payload) {
  const DynamicMessage* content = of(payload.type()).content(payload);
  POSSE_CHECK(content != nullptr, "a {} without content", payload.type().name);
  return *content;
}

DynamicMessageType::DynamicMessageType(std::string type_name, std::vector<DynamicField> fields)
    : MessageType{.name = {},
                  .encode =
                      [](const Payload& payload, std::vector<std::byte>& out) {
                        codec::Writer writer(out);
                        content_of(payload).visit_fields(writer);
                      },
                  .decode_as = [](const MessageType& type,
                                  std::span<const std::byte> in) -> std::optional<Payload> {
                    DynamicMessage message;
                    for (const auto& field : of(type).fields_)
                      message.fields.push_back(field.empty);
                    codec::Reader reader(in);
                    message.visit_fields(reader);
                    if (!reader.finished()) return std::nullopt;
                    return of(type).make(std::move(message));
                  },
                  .map =
                      [](const Payload& payload, const std::function<double(double)>& change) {
                        DynamicMessage message = content_of(payload);
                        codec::Mapper mapper(change);
                        message.visit_fields(mapper);
                        return of(payload.type()).make(std::move(message));
                      },
                  .print =
                      [](const Payload& payload) {
                        std::string out;
                        const auto& type = of(payload.type());
                        codec::Printer printer(out, type.field_names_);
                        if (const auto* message = type.content(payload))
                          message->visit_fields(printer);
                        return out;
                      }},
      name_(std::move(type_name)),
      fields_(std::move(fields)) {
  name = name_;
  for (const auto& field : fields_) {
    if (!field_names_.empty()) field_names_ += ", ";
    field_names_ += field.name;
  }
}

Payload DynamicMessageType::make(DynamicMessage message) const {
  bool same = message.fields.size() == fields_.size();
  for (std::size_t i = 0; same && i < fields_.size(); ++i)
    same = message.fields[i].index() == fields_[i].empty.index();
  POSSE_CHECK(same, "the values are not those of the fields of {}", name);
  return Payload::make_as(*this, std::move(message));
}

}  // namespace posse
