package scan

import (
	"strings"

	"chant/engine/code/chunk"
)

// declaration is what a line declares.
type declaration struct {
	kind chunk.Kind
	name string
	weak bool // the line may be prose
}

// modifier reports whether a word may stand before the word that says what is declared.
func modifier(word string) bool {
	switch word {
	case "public", "private", "protected", "internal", "static", "final", "abstract", "override", "async", "export", "default",
		"pub", "inline", "virtual", "sealed", "open", "local", "unsafe", "extern", "external", "case", "data", "implicit", "lazy",
		"partial", "suspend", "const", "comptime", "noinline", "pure", "recursive", "elemental", "create", "or", "replace",
		"CREATE", "OR", "REPLACE", "global", "mutable", "value", "base", "mixin":
		return true
	}
	return false
}

// kindOf returns what a word declares. Weak words are common in prose, too.
func kindOf(word string) (kind chunk.Kind, weak bool) {
	switch word {
	case "func", "fn", "fun", "def", "defp", "function", "function!", "sub", "proc", "procedure", "subroutine", "defn", "defn-", "defun",
		"rpc", "defmethod", "FUNCTION", "PROCEDURE":
		return chunk.Function, word == "function" || word == "procedure" || word == "fun"
	case "macro", "defmacro", "macro_rules!":
		return chunk.Macro, word == "macro"
	case "class":
		return chunk.Class, true
	case "struct", "record", "union", "message", "input", "TABLE", "table", "resource", "VIEW", "defstruct", "contract", "library":
		return chunk.Struct, true
	case "enum":
		return chunk.Enum, true
	case "interface", "trait", "service", "role":
		return chunk.Interface, true
	case "protocol":
		return chunk.Protocol, true
	case "impl", "extension", "extend", "instance":
		return chunk.Extension, true
	case "actor":
		return chunk.Actor, true
	case "module", "namespace", "defmodule", "object":
		return chunk.Namespace, word != "defmodule"
	case "type", "typedef", "newtype":
		return chunk.TypeAlias, true
	}
	return "", false
}

// declared returns what a line declares, if it looks like a declaration.
func declared(text string) (declaration, bool) {
	if text == "" || len(text) > 2000 {
		return declaration{}, false
	}
	rest := strings.TrimPrefix(text, "(")
	for range 6 {
		word, after, found := strings.Cut(rest, " ")
		if !found {
			break
		}
		after = strings.TrimLeft(after, " ")
		if kind, weak := kindOf(word); kind != "" {
			return named(kind, weak, after)
		}
		if !modifier(word) {
			break
		}
		rest = after
	}
	return assigned(text)
}

// named reads the name after the word that says what is declared.
func named(kind chunk.Kind, weak bool, after string) (declaration, bool) {
	if after != "" && (after[0] == '(' || after[0] == '"' || after[0] == '`' || after[0] == '[') { // Lisp, quoted names
		after = strings.NewReplacer("\" \"", ".").Replace(after)[1:]
	}
	n := nameLength(after)
	if n == 0 {
		return declaration{}, false
	}
	name, rest := strings.TrimRight(after[:n], ":.-"), strings.TrimLeft(after[n:], " \"`]")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return declaration{}, false
	}
	if weak && rest != "" && !strings.ContainsAny(rest[:1], "({<:=;[-|") && !strings.ContainsAny(rest, "{(=") && !inherits(rest) {
		return declaration{}, false
	}
	return declaration{kind, name, weak}, true
}

// inherits reports whether a text starts like the list of the types that a type extends.
func inherits(rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	switch word {
	case "extends", "implements", "with", "where", "is", "do", "inherits", "for", "begin", "AS", "as", "on":
		return true
	}
	return false
}

// assigned reads "name = function(", "name <- function(" and "name: function(".
func assigned(text string) (declaration, bool) {
	for _, mark := range []string{"= function", "<- function", ": function", "=function", "= fn ", "= fun ", "= lambda"} {
		i := strings.Index(text, mark)
		if i <= 0 {
			continue
		}
		fields := strings.Fields(text[:i])
		if len(fields) == 0 || len(fields) > 3 {
			return declaration{}, false
		}
		name := fields[len(fields)-1]
		if n := nameLength(name); n == len(name) && n > 0 {
			return declaration{chunk.Function, name, false}, true
		}
	}
	return declaration{}, false
}

// nameLength returns how many bytes at the start of a text are a name, with dots and colons in it.
func nameLength(text string) int {
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '$', b == '.', b >= 0x80,
			b == '!' && i > 0, b == '?' && i > 0, b == '\'' && i > 0, b == ':' && i > 0, b == '-' && i > 0, b == '#' && i > 0, b == '~':
		default:
			return i
		}
	}
	return len(text)
}
