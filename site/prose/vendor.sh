#!/bin/sh
# Copies the lexers that chant uses from the module of chroma, with its licence. Run it after the module's version
# changes; TestLexers_areThoseOfTheModule fails until then.
set -eu
cd "$(dirname "$0")/lexers"
from=$(go list -m -f '{{.Dir}}' github.com/alecthomas/chroma/v2)
for name in bash c 'c#' c++ css diff docker graphql hcl html ini java javascript json kotlin lua makefile powershell python \
	ruby rust sql swift toml typescript xml yaml; do
	install -m 644 "$from/lexers/embedded/$name.xml" "$(echo "$name" | sed 's/c#/csharp/; s/c++/cpp/').xml"
done
install -m 644 "$from/COPYING" LICENSE
