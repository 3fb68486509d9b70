package mutant

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// comparisons maps each comparison to the one that replaces it.
func comparisons() map[string]string {
	return map[string]string{
		"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
		"is": "is not", "is not": "is", "in": "not in", "not in": "in",
		"-lt": "-le", "-le": "-lt", "-gt": "-ge", "-ge": "-gt", "-eq": "-ne", "-ne": "-eq", "=": "!=",
	}
}

// atLeast maps each equality to the comparison that also replaces it beside a number: a branch for the one value that a test
// has would pass as well if it were for all above it.
func atLeast() map[string]string { return map[string]string{"==": ">=", "===": ">=", "-eq": "-ge"} }

// isEquality reports whether the other operator of a comparison is its opposite.
func isEquality(op string) bool {
	return slices.Contains([]string{"==", "!=", "===", "!==", "is", "is not", "in", "not in", "-eq", "-ne", "="}, op)
}

// operators maps each operator of numbers and conditions to the one that replaces it.
func operators() map[string]string {
	return map[string]string{
		"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
		"&&": "||", "||": "&&", "and": "or", "or": "and", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++",
	}
}

// otherNumber returns another number in place of a literal, "" for a form that is not changed.
func otherNumber(text string) (Kind, string) {
	if n, err := strconv.ParseInt(text, 10, 62); err == nil && strconv.FormatInt(n, 10) == text {
		return OffByOne, strconv.FormatInt(n+1, 10)
	}
	whole, rest, ok := strings.Cut(text, ".")
	if n, err := strconv.ParseInt(whole, 10, 62); ok && err == nil && rest != "" {
		return ChangeConstant, strconv.FormatInt(n+1, 10) + "." + rest
	}
	return "", ""
}

// otherBool returns the opposite of a literal, "" if it is not a boolean.
func otherBool(text string) string {
	return map[string]string{"true": "false", "false": "true", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE"}[text]
}

// emptyString returns an empty string in the quotes of a literal, "" for one that is empty or has another form.
func emptyString(text string) string {
	if len(text) < 3 || text[0] != '"' && text[0] != '\'' && text[0] != '`' || text[len(text)-1] != text[0] || strings.ContainsAny(text, "\n$") ||
		strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, `'''`) {
		return ""
	}
	return text[:1] + text[:1]
}

// logs matches the beginning of a call that only prints or logs.
var logs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(?:(?:self|this|cls|@|\$this->)[.>]?)?_?(?:log|logger|logging|slog|console|zap|logrus|tracing|system\.(?:out|err)|std::c(?:out|err|log))\s*(?:\.|::|->|<<))` +
		`|^(?i:(?:fmt\.)?f?print(?:f|ln)?|nslog|os_log|e?print(?:ln)?!|(?:log::)?(?:trace|debug|info|warn|error)!|dbg!|puts|pp?|echo|syslog|error_log|var_dump|print_r|fputs|warn|console\.write(?:line)?|debug\.write(?:line)?|trace)\b` +
		`|^fmt\.Fprint(?:f|ln)?\(os\.Std`)
})

// result matches a command that prints a number to its standard output, and nothing else.
var result = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:echo|printf) -?\d+$`) })

// testAttribute matches the attributes of Rust that make a test of a function, or have something in tests alone.
var testAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^#\[\s*(?:(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test)\b|cfg\s*\(\s*(?:all\s*\((?:[^()]*,)?\s*)?test\b)`)
})

// fails matches the beginning of a call or statement whose texts are messages of an error.
var fails = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[^("'` + "`" + `]*(?:error|exception|panic|raise|throw|fail|fatal|abort|die\b|assert|expect|require)`)
})

// loads matches the beginning of a call that imports something.
var loads = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:require|require_relative|require_once|include|include_once|import|load|source|use)\b`)
})
