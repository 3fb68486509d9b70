#!/usr/bin/env bash
# Makes the Go code and the tables of this module from the C code of tree-sitter and its grammars. It needs Debian's
# clang-19, lld-19, wasi-libc and libclang-rt-19-dev-wasm32, and Go.
set -euo pipefail
cd "$(dirname "$0")"

SOURCES=github.com/smacker/go-tree-sitter@v0.0.0-20240827094217-dd81d9e9be82
WASM2GO=github.com/ncruces/wasm2go@v0.4.19
BASE=1048576 # where the tables of a grammar start in memory; the data of the runtime ends before

build=${BUILD:-$(mktemp -d)}
mkdir -p "$build"
sources=${SOURCES_FOLDER:-}
[ -n "$sources" ] || sources=$(cd "$build" && GOFLAGS=-mod=mod go mod download -json "$SOURCES" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')

flags=(--target=wasm32-wasi -mbulk-memory -msign-ext -mnontrapping-fptoint -mmultivalue -ffunction-sections -fdata-sections
	-fno-exceptions -w -DTREE_SITTER_HIDDEN_SYMBOLS -include c/glue.h)

# The runtime, with a clock that asks the host, and an advance that does so once in a while.
mkdir -p "$build/runtime"
cp "$sources"/*.[ch] "$build/runtime"
cp c/clock.h "$build/runtime"
sed -i 's/^static void ts_lexer__do_advance(Lexer \*self, bool skip) {/&\n  lexer_tick();/
	s/^static void ts_lexer__advance(TSLexer \*_self, bool skip) {/&\n  lexer_tick();/
	0,/^static /s//uint32_t lexer_ticks;\nvoid host_tick(void) __attribute__((import_module("host"), import_name("tick")));\nstatic inline void lexer_tick(void) { if ((++lexer_ticks \& 0x3ff) == 0) host_tick(); }\n\nstatic /' "$build/runtime/lexer.c"
# What a table has for a state and a symbol is remembered, and a stack without branches is popped in one go.
sed -i 's/^static inline uint16_t ts_language_lookup(/static inline uint16_t ts_language_search(/
	s/^static inline bool ts_language_has_actions(/#include "lookup.h"\n\n&/' "$build/runtime/language.h"
sed -i 's/^StackSliceArray ts_stack_pop_count(/static StackSliceArray pop_count_any(/
	$a #include "straight.h"' "$build/runtime/stack.c"
objects=()
compile() { # object, source, further flags
	objects+=("$build/$1.o")
	[ "$build/$1.o" -nt "$2" ] || clang-19 "${flags[@]}" "${@:3}" -c "$2" -o "$build/$1.o" &
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
}
for file in alloc get_changed_ranges language lexer node parser stack subtree tree tree_cursor wasm_store; do
	compile "runtime-$file" "$build/runtime/$file.c" -O2 -I "$build/runtime" -I c
done
compile heap c/heap.c -O2 -fno-builtin
compile lextable c/lextable.c -O2 -I "$build/runtime"
compile glue c/glue.c -O2 -I "$build/runtime" -I c

for language in $(sed -n 's/GRAMMAR(\(.*\))/\1/p' c/list.h); do
	folder=$sources/$language
	[ -f "$folder/parser.c" ] || folder=$sources/typescript/$language
	name=$language
	symbol=$(sed -n 's/^.*const TSLanguage \*\(tree_sitter_[a-z_]*\)(.*/\1/p' "$folder/parser.c" | tail -n 1)
	{
		echo "#include \"$folder/parser.c\""
		echo "void install_$name(TSLanguage *l) {"
		if [ -f "$folder/scanner.c" ]; then
			for function in create destroy scan serialize deserialize; do
				echo "  l->external_scanner.$function = (void *)${symbol}_external_scanner_$function;"
			done
		fi
		echo "}"
		echo "const void *grammar_$name(void) { return $symbol(); }"
	} >"$build/grammar-$name.new"
	cmp -s "$build/grammar-$name.new" "$build/grammar-$name.c" || cp "$build/grammar-$name.new" "$build/grammar-$name.c"
	compile "grammar-$name" "$build/grammar-$name.c" -O1 -I "$folder"
	states() { # of the lexer whose function is named: one more than the last case
		awk -v f="static bool $1(" 'index($0, f) && /{/ {on = 1} on && /^    case [0-9]+:/ {gsub(/[^0-9]/, "", $2); n = $2 + 1} on && /^}/ {on = 0} END {print n + 0}' "$folder/parser.c"
	}
	{
		echo '#include "lexdump.h"'
		echo "#include \"$folder/parser.c\""
		echo "#define LEX_STATES $(states ts_lex)"
		if [ "$(states ts_lex_keywords)" != 0 ]; then echo "#define LEX_KEYWORD_STATES $(states ts_lex_keywords)"; fi
		echo '#include "lexdump.c"'
	} >"$build/lexer-$name.c"
	if [ ! -f "$build/lexer-$name.main" ]; then
		{
			grep -oE '0x[0-9A-Fa-f]+' "$folder/parser.c" || true
			grep lookahead "$folder/parser.c" | grep -oE '\b[0-9]+\b' || true
		} | sort -u >"$build/lexer-$name.points"
		clang-19 -w -O1 -Wl,--unresolved-symbols=ignore-all -I "$folder" -I c -o "$build/lexer-$name" "$build/lexer-$name.c"
		"$build/lexer-$name" "$build/lexer-$name.points" "$build/lexer-$name.main" "$build/lexer-$name.keywords"
	fi
	if [ -f "$folder/scanner.c" ]; then compile "scanner-$name" "$folder/scanner.c" -Os -I "$folder"; fi
done
wait

# One program with the runtime, the lexers and the scanners, without the tables.
clang-19 --target=wasm32-wasi -nostartfiles -O2 -Wl,--no-entry,--gc-sections,--stack-first,-z,stack-size=262144 \
	-Wl,--max-memory=201326592,--export=__heap_base,--export-memory,--strip-all -o "$build/treesitter.wasm" "${objects[@]}"

# The tables of each grammar, at the same place in memory.
for language in $(sed -n 's/GRAMMAR(\(.*\))/\1/p' c/list.h); do
	wasm-ld-19 --no-entry --export=grammar_$language --unresolved-symbols=ignore-all --global-base=$BASE --gc-sections \
		-o "$build/table-$language.wasm" "$build/grammar-$language.o"
done

wasm2go=${WASM2GO_COMMAND:-go run $WASM2GO}
$wasm2go -unsafe -pkg treesitter -o "$build/treesitter.go" "$build/treesitter.wasm"
mkdir -p treesitter tables
cp "$build/treesitter.go" treesitter/treesitter.go
rm -f tables/*
go run ./pack "$build" tables $(sed -n 's/GRAMMAR(\(.*\))/\1/p' c/list.h)
gofmt -l treesitter
du -h tables/* treesitter/treesitter.go
