package mutant

import (
	"slices"
	"strings"

	"chant/grammars"
)

// resultOf returns the type of the result of a function as the file writes it, "" if it names none.
func (r *reader) resultOf(function int) string {
	if function == 0 {
		return ""
	}
	of := r.child(function, "return_type", "returns", "type", "user_type", "nullable_type", "optional_type", "array_type")
	if of < 0 {
		return ""
	}
	text := strings.TrimSpace(strings.TrimLeft(r.text(of), ":-> "))
	if d := r.child(function, "declarator"); d >= 0 && r.nodes.Kind(d) == "pointer_declarator" {
		text += "*"
	}
	return text
}

// zeroOf returns a value of a type that means nothing, "" if none is known to compile.
func zeroOf(l grammars.Language, of string) string {
	switch l {
	case grammars.Python:
		return "None"
	case grammars.Ruby:
		return "nil"
	case grammars.JavaScript:
		return "undefined"
	}
	if of == "void" || of == "Unit" {
		return ""
	}
	optional := strings.HasSuffix(of, "?") || strings.HasPrefix(of, "?")
	switch isNumber, isText, isBool := slices.Contains(numberTypes, of), slices.Contains(textTypes, of), strings.HasPrefix(strings.ToLower(of), "bool"); {
	case optional && l == grammars.Swift:
		return "nil"
	case optional:
		return "null"
	case isNumber && l == grammars.Rust && of[0] == 'f', isNumber && l == grammars.Kotlin && (of == "Double"):
		return "0.0"
	case isNumber:
		return "0"
	case isBool:
		return "false"
	case isText && of == "String" && l == grammars.Rust:
		return "String::new()"
	case isText:
		return `""`
	}
	switch l {
	case grammars.TypeScript, grammars.TSX:
		return "undefined as any"
	case grammars.PHP:
		// A type that does not allow null fails where it is returned, as a wrong result would.
		return "null"
	case grammars.Java, grammars.CSharp:
		if of == "" {
			return ""
		}
		return map[grammars.Language]string{grammars.Java: "null", grammars.CSharp: "default"}[l]
	case grammars.C, grammars.CPP:
		if strings.HasSuffix(of, "*") {
			return "0"
		}
	case grammars.Rust:
		switch {
		case strings.HasPrefix(of, "Option<"):
			return "None"
		case strings.HasPrefix(of, "Vec<"):
			return "Vec::new()"
		}
	case grammars.Swift:
		if strings.HasPrefix(of, "[") {
			return "[]"
		}
	}
	return ""
}

var (
	numberTypes = []string{"int", "long", "short", "byte", "char", "float", "double", "number", "size_t", "unsigned", "decimal", "uint", "ulong",
		"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "Int", "Long", "Short", "Byte", "Double", "Float",
		"UInt", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64"}
	textTypes = []string{"string", "String", "&str", "&'static str", "std::string"}
)
