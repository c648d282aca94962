# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0
"""validate.py MILLRACE SOURCES PLUGINS: tries the schema with Python's jsonschema.

Every pipeline that `millrace check` finds fine must be valid; what refused.yaml holds must not be,
at the place that it names; every default must be valid where it stands.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"{missing.name} is not installed: ./dev deps test")
    sys.exit(77)


class Core(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: `on` is a text, `1e3` a number."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
]:
    Core.add_implicit_resolver(
        f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first)
    )

millrace, sources, plugins = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
environment = dict(os.environ, MILLRACE_PLUGIN_PATH=plugins)
printed = subprocess.run([millrace, "schema"], env=environment, check=True, capture_output=True)
schema = json.loads(printed.stdout)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failures, counts = [], {}


def count(what):
    counts[what] = counts.get(what, 0) + 1


def errors_in(pipeline):
    """The errors of the alternatives too, with their paths."""
    errors = list(validator.iter_errors(pipeline))
    for error in errors:
        errors.extend(error.context)
    return errors


def check_valid(text, name):
    count("pipelines that are fine")
    for error in validator.iter_errors(yaml.load(text, Core)):
        place = "/".join(map(str, error.absolute_path))
        failures.append(f"{name}: {place}: {error.message[:300]}")


def yaml_blocks(markdown):
    for block in re.findall(r"^ *```yaml\n(.*?)^ *```", markdown, re.S | re.M):
        if "version: 1\n" in block and "stages:\n" in block:
            yield block


def case_pipelines(text):
    """The p.yaml of a case of the command line that ends well."""
    if re.search(r"^exit: 0$", text, re.M):
        yield from re.findall(r"^--- file p\.yaml\n(.*?)(?=^--- |\Z)", text, re.S | re.M)


for folder in ["configs", "bench", "plugins/example/c"]:
    for file in sorted((sources / folder).glob("*.yaml")):
        check_valid(file.read_text(), file.name)
for file in [sources / "README.md", *sorted(sources.glob("docs/**/*.md"))]:
    for block in yaml_blocks(file.read_text()):
        check_valid(block, file.name)
for file in sorted((sources / "tests/cli/cases").glob("*.case")):
    for pipeline in case_pipelines(file.read_text()):
        check_valid(pipeline, file.name)

here = pathlib.Path(__file__).parent
for index, case in enumerate(yaml.load_all((here / "fine.yaml").read_text(), Core)):
    check_valid(yaml.dump(case), f"fine.yaml, document {index + 1}")

for case in yaml.load_all((here / "refused.yaml").read_text(), Core):
    count("pipelines that are wrong")
    places = [list(error.absolute_path) for error in errors_in(case["pipeline"])]
    if case["at"] not in places:
        failures.append(f"refused.yaml: {case['why']}: errors are at {places}")


def check_defaults(part, place):
    if isinstance(part, list):
        for index, each in enumerate(part):
            check_defaults(each, f"{place}/{index}")
    if not isinstance(part, dict):
        return
    is_schema = "description" in part and not isinstance(part["description"], dict)
    if is_schema and "default" in part:
        count("defaults")
        for error in validator.evolve(schema=part).iter_errors(part["default"]):
            failures.append(f"the default at {place}: {error.message[:300]}")
    for key, each in part.items():
        check_defaults(each, f"{place}/{key}")


check_defaults(schema, "")
print(", ".join(f"{number} {what}" for what, number in counts.items()))
for least, what in [(30, "pipelines that are fine"), (20, "pipelines that are wrong"), (30, "defaults")]:
    if counts.get(what, 0) < least:
        failures.append(f"there should be {least} {what} at least")
print("\n".join(failures))
sys.exit(1 if failures else 0)
