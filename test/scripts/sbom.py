#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sbom.py BUILD: scripts/sbom describes the compiler in BUILD: SPDX 2.3 by its required members, one package for the program with the right SHA-256, each
# library that the program loads and each kind of part that the build is known to have, no reference to nowhere, and the same text twice.
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
build = sys.argv[1]


def made():
    command = [sys.executable, os.path.join(ROOT, "scripts/sbom"), "--build", build]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}).stdout


text = made()
assert text == made(), "two runs differ"
document = json.loads(text)
for key, form in {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": r"sinter-\d.*",
                  "documentNamespace": r"https://[^#\s]+"}.items():  # fmt: skip
    assert re.fullmatch(form, document[key]), (key, document[key])
assert document["creationInfo"]["created"] == "2023-11-14T22:13:20Z" and document["creationInfo"]["creators"]

packages = {package["SPDXID"]: package for package in document["packages"]}
assert len(packages) == len(document["packages"]), "an SPDXID stands twice"
for name, package in packages.items():
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name), name
    for key in ("name", "downloadLocation", "versionInfo", "licenseConcluded", "licenseDeclared", "copyrightText"):
        assert package[key], (name, key)
    assert package["versionInfo"] != "NOASSERTION", f"{name} has no version"

with open(os.path.join(build, "bin/sinter"), "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
assert packages["SPDXRef-sinter"]["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}]
relations = {(r["spdxElementId"], r["relationshipType"], r["relatedSpdxElement"]) for r in document["relationships"]}
assert ("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-sinter") in relations
assert {end for a, _, b in relations for end in (a, b)} == {"SPDXRef-DOCUMENT", *packages}, "packages and relations do not match"
kinds = {kind: {packages[b]["name"] for _, k, b in relations if k == kind} for kind in ("STATIC_LINK", "DYNAMIC_LINK", "CONTAINS")}
loaded = [line for line in subprocess.run(["ldd", os.path.join(build, "bin/sinter")], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines() if "/" in line]
assert 0 < len(kinds["DYNAMIC_LINK"]) <= len(loaded), kinds
for kind, part in (("STATIC_LINK", "mlir"), ("STATIC_LINK", "protobuf"), ("CONTAINS", "onnx"), ("CONTAINS", "stdc++"), ("DYNAMIC_LINK", "libc6")):
    assert any(part in name for name in kinds[kind]), (kind, part, kinds[kind])
print(f"{len(packages)} packages, {len(relations)} relations")
