// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include "config/diagnostics.hpp"
#include "plugin/abi/call.hpp"
#include "plugin/abi/host.hpp"

namespace millrace::abi {
namespace {

using Texts = OptionValues::Texts;

const OptionValues& values_of(const mr_options* options) {
  return target(reinterpret_cast<const OptionValues*>(options));
}

/// The value of an option; null where there is none. Throws Misuse where the schema has no such
/// option, or has it with another type.
template <class T>
const T* value_of(const mr_options* options, const char* name, const char* type) {
  const OptionValues& values = values_of(options);
  const auto* any = values.find(&target(name));
  if (!any)
    throw Misuse{"reads the option " + quote(name) + ", which its schema does not declare; " +
                 (values.names().empty() ? "it declares none"
                                         : "it declares " + join(values.names(), "and"))};
  const auto* value = std::get_if<std::optional<T>>(any);
  if (!value) throw Misuse{"reads the option " + quote(name) + " as " + type + ", which it is not"};
  return *value ? &**value : nullptr;
}

/// Gives what `fill` does with the value.
template <class T, class Fill>
mr_result read(const mr_options* options, const char* name, const char* type, Fill fill) {
  return guard<mr_result>(MR_FATAL, [&] {
    const T* value = value_of<T>(options, name, type);
    if (value) fill(*value);
    return value ? mr_result(MR_OK) : mr_result(MR_SKIP);
  });
}

mr_result option_integer(const mr_options* options, const char* name, std::int64_t* value) {
  return read<std::int64_t>(options, name, "an integer",
                            [&](std::int64_t is) { target(value) = is; });
}
mr_result option_number(const mr_options* options, const char* name, double* value) {
  return read<double>(options, name, "a number", [&](double is) { target(value) = is; });
}
mr_result option_boolean(const mr_options* options, const char* name, std::int32_t* value) {
  return read<bool>(options, name, "a boolean", [&](bool is) { target(value) = is ? 1 : 0; });
}
mr_result option_text(const mr_options* options, const char* name, const char** value) {
  return read<std::string>(options, name, "a string",
                           [&](const std::string& is) { target(value) = is.c_str(); });
}
mr_result option_list(const mr_options* options, const char* name, const char* const** values,
                      std::size_t* count) {
  return read<Texts>(options, name, "an array", [&](const Texts&) {
    const OptionValues& all = values_of(options);
    const auto& list = all.for_c().lists.at(all.find(name));
    target(values) = list.data();
    target(count) = list.size();
  });
}

const char* options_json(const mr_options* options) {
  return guard<const char*>(nullptr, [&] { return values_of(options).for_c().json.c_str(); });
}

}  // namespace

void add_options(mr_host& host) {
  host.option_integer = option_integer;
  host.option_number = option_number;
  host.option_boolean = option_boolean;
  host.option_text = option_text;
  host.option_list = option_list;
  host.options_json = options_json;
}

}  // namespace millrace::abi
