// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "config/document.hpp"
#include "config/keys.hpp"
#include "millrace/nearest.hpp"

namespace millrace::inline v1 {
namespace {

/// Tells which key of an item is its stage, and explains when it is none or several.
class ItemName {
 public:
  ItemName(const Value& item, Prototypes& prototypes, Diagnostics& diagnostics)
      : prototypes_(prototypes), diagnostics_(diagnostics), item_(item) {
    for (const auto& entry : item.entries)
      if (std::ranges::find(engine_keys(), entry.key) == engine_keys().end())
        others_.push_back(&entry);
  }

  /// Its options that stand beside it, each complained about.
  const std::vector<const Value::Entry*>& beside() const { return beside_; }

  /// It holds a second stage, which is complained about.
  bool swallows_a_stage() const { return swallows_a_stage_; }

  /// Null when it cannot be told; then it is complained about.
  const Value::Entry* find() {
    if (others_.empty()) {
      diagnostics_.error(Code::one_stage,
                         item_.entries.empty() ? item_.where : item_.entries[0].where,
                         item_.entries.empty() ? 1 : item_.entries[0].length,
                         "this item names no stage", "write it as - resize: { width: 800 }");
      return nullptr;
    }
    if (others_.size() == 1) return others_[0];
    std::vector<const Value::Entry*> stages;
    for (const auto* entry : others_)
      if (prototypes_.find(entry->key)) stages.push_back(entry);
    const Value::Entry* stage = stages.empty() ? likely() : stages[0];
    for (const auto* entry : others_)
      if (entry != stage) explain(*entry, stage);
    return stage;
  }

 private:
  /// The key that looks most like a stage's name: the first that is near one, or one with a map.
  const Value::Entry* likely() const {
    const auto names = prototypes_.names();
    for (const auto* entry : others_)
      if (nearest(entry->key, names)) return entry;
    return others_[0];
  }

  void explain(const Value::Entry& entry, const Value::Entry* stage) {
    const auto beside = "beside " + quote(stage->key);
    const auto meant = nearest(stage->key, prototypes_.names());
    const auto* prototype = prototypes_.of(meant.value_or(stage->key));
    const auto options = prototype ? names_of(prototype->made.options) : std::vector<std::string>();
    if (std::ranges::find(options, entry.key) != options.end()) {
      beside_.push_back(&entry);
      return diagnostics_.error(Code::misplaced_key, entry,
                                quote(entry.key) + " is an option of " +
                                    quote(prototype->entry->name) + " but stands beside it",
                                "indent it further than " + quote(stage->key + ":") +
                                    ", or write " + stage->key + ": { " + entry.key + ": ... }");
    }
    swallows_a_stage_ = swallows_a_stage_ || prototypes_.find(entry.key);
    if (prototypes_.find(entry.key))
      return diagnostics_.error(
          Code::one_stage, entry,
          "this item names two stages, " + quote(stage->key) + " and " + quote(entry.key),
          "begin the second with '- '");
    auto known = engine_keys();
    known.insert(known.end(), options.begin(), options.end());
    Advice advice = suggest(entry.key, known);
    const auto elsewhere = advice.empty() ? prototypes_.place_of(entry.key) : std::string();
    if (!elsewhere.empty())
      advice = elsewhere;
    else if (advice.empty())
      advice = "beside a stage stand " + join(engine_keys(), "and");
    diagnostics_.error(elsewhere.empty() ? Code::unknown_key : Code::misplaced_key, entry,
                       "unknown key " + quote(entry.key) + " " + beside, std::move(advice));
  }

  Prototypes& prototypes_;
  Diagnostics& diagnostics_;
  const Value& item_;
  std::vector<const Value::Entry*> others_;
  std::vector<const Value::Entry*> beside_;
  bool swallows_a_stage_ = false;
};

/// As it may stand within braces.
std::string written(const std::string& text, bool quoted) {
  if (!quoted && text.find_first_of(",[]{}:#&*!|>%@`\"'\\") == text.npos) return text;
  return text.find_first_of("\"\\") == text.npos ? "\"" + text + "\"" : "...";
}

/// What was probably meant by a stage with one value: `resize: 800`, and by `resize: width 800`.
Advice option_for(const Value::Entry& entry, const StageWithOptions& made) {
  const auto& options = made.options.all();
  if (options.empty()) return "it has no options: write - " + entry.key;
  const auto required = std::ranges::find_if(options, &Option::is_required);
  const auto& option = required != options.end() ? *required : options.front();
  const bool is_scalar = entry.value.kind == Value::Kind::scalar;
  const auto& text = entry.value.text;
  const auto blank = text.find(' ');
  const auto is_named = [&](const Option& one) { return one.name() == text.substr(0, blank); };
  if (is_scalar && blank != text.npos && std::ranges::any_of(options, is_named))
    return "write it as " + entry.key + ": { " + text.substr(0, blank) + ": " +
           written(text.substr(blank + 1), false) + " }";
  return "write it as " + entry.key + ": { " + option.name() + ": " +
         (is_scalar && option.choices().empty() && option.type() != "true or false"
              ? written(text, entry.value.quoted)
              : "...") +
         " }";
}

/// A stage's own value: a map of options, or nothing.
void read_options(const Value::Entry& entry, Prototypes& prototypes, StageItem& item,
                  Diagnostics& diagnostics) {
  item.key = entry;
  const Value& value = entry.value;
  if (value.broken || value.kind == Value::Kind::map || value.kind == Value::Kind::null) return;
  item.key.value.broken = true;
  // Of a stage that is not there, no more is said than that.
  const auto* const prototype = prototypes.of(entry.key);
  if (!prototype) return;
  diagnostics.error(Code::wrong_type, value, "the options of " + quote(entry.key) + " are a map",
                    option_for(entry, prototype->made));
}

void refuse_name(const Value::Entry& key, const Prototypes& prototypes, Diagnostics& diagnostics) {
  if (tell_missing_colon(key, diagnostics)) return;
  const auto* reason = prototypes.why_left_out(key.key);
  Advice advice = reason ? Advice(*reason) : suggest(key.key, prototypes.names());
  if (advice.empty()) advice = prototypes.hint_for(key.key);
  diagnostics.error(reason ? Code::unusable_plugin : Code::unknown_stage, key,
                    "there is no stage " + quote(key.key), std::move(advice));
}

}  // namespace

StageItem unreadable_item(const Value& value) {
  StageItem item;
  item.key.where = value.where;
  item.key.length = value.length;
  item.key.value.broken = true;
  item.lost_from = true;
  return item;
}

StageItem read_item(const Value& value, Prototypes& prototypes, Diagnostics& diagnostics) {
  StageItem item = unreadable_item(value);
  if (value.broken) return item;
  item.lost_from = false;
  const std::string how = "write it as - resize: { width: 800 }";
  const Value::Entry* entry = nullptr;
  std::vector<const Value::Entry*> beside;
  Value::Entry plain{value.text, value.where, value.length, {}};
  plain.value.where = value.where;
  plain.value.length = value.length;
  if (value.kind == Value::Kind::scalar) {
    entry = &plain;
  } else if (value.kind == Value::Kind::map) {
    read_engine_keys(value, item, diagnostics);
    ItemName name(value, prototypes, diagnostics);
    entry = name.find();
    beside = name.beside();
    item.lost_from = name.swallows_a_stage();  // which would take what this one gives
  } else {
    diagnostics.error(
        Code::one_stage, value,
        value.kind == Value::Kind::null ? "this item is empty" : "an item is a stage, not a list",
        how);
  }
  if (!entry) return item;
  read_options(*entry, prototypes, item, diagnostics);
  // They are meant, so that none is missing and each has its value checked.
  for (const auto* option : beside) {
    item.key.value.kind = Value::Kind::map;
    item.key.value.entries.push_back(*option);
  }
  if (prototypes.find(entry->key))
    item.name = entry->key;
  else
    refuse_name(*entry, prototypes, diagnostics);
  return item;
}

}  // namespace millrace::inline v1
