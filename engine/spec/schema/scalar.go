package schema

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkAny applies the keywords for every kind of value.
func (j *judgement) checkAny() {
	if want, ok := j.n.keys["type"]; ok {
		names, isList := want.([]any)
		if !isList {
			names = []any{want}
		}
		if !slices.ContainsFunc(names, func(name any) bool { return isOfType(j.value, name) }) {
			texts := make([]string, len(names))
			for i, name := range names {
				texts[i], _ = name.(string)
			}
			j.report("got %s, want %s", typeOf(j.value), strings.Join(texts, " or "))
		}
	}
	if want, ok := j.n.keys["const"]; ok && canonical(j.value) != canonical(want) {
		j.report("value must be %s", display(want))
	}
	if want, ok := j.n.keys["enum"].([]any); ok {
		got := canonical(j.value)
		if !slices.ContainsFunc(want, func(one any) bool { return canonical(one) == got }) {
			texts := make([]string, len(want))
			for i, one := range want {
				texts[i] = display(one)
			}
			j.report("value must be one of %s", strings.Join(texts, ", "))
		}
	}
}

// typeOf names the type of a JSON value.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func isOfType(value, name any) bool {
	number, isNumber := value.(json.Number)
	if name != "integer" || !isNumber {
		return typeOf(value) == name
	}
	return rational(number).IsInt()
}

// checkString applies the keywords for strings.
func (j *judgement) checkString(text string) {
	j.checkCount("minLength", "maxLength", utf8.RuneCountInString(text))
	if pattern, ok := j.n.keys["pattern"].(string); ok && !j.n.patterns[pattern].MatchString(text) {
		j.report("%s does not match the pattern %s", display(text), quote(pattern))
	}
	if name, ok := j.n.keys["format"].(string); ok && !matchesFormat(name, text) {
		j.report("%s is not a valid %s", display(text), name)
	}
}

// checkNumber applies the keywords for numbers.
func (j *judgement) checkNumber() {
	text, ok := j.value.(json.Number)
	if !ok {
		return
	}
	got := rational(text)
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		limit, ok := j.n.keys[key].(json.Number)
		if !ok {
			continue
		}
		want, fits := rational(limit), false
		order := got.Cmp(want)
		strict, _ := j.n.keys["exclusive"+strings.ToUpper(key[:1])+key[1:]].(bool) // of draft 4
		switch key {
		case "minimum":
			fits = order > 0 || order == 0 && !strict
		case "maximum":
			fits = order < 0 || order == 0 && !strict
		case "exclusiveMinimum":
			fits = order > 0
		case "exclusiveMaximum":
			fits = order < 0
		default:
			fits = want.Sign() == 0 || new(big.Rat).Quo(got, want).IsInt()
		}
		if !fits {
			j.report("%s: got %s, want %s", key, text, limit)
		}
	}
}

// count returns the value of a keyword that counts something.
func (j *judgement) count(key string) (int, bool) {
	number, ok := j.n.keys[key].(json.Number)
	if !ok {
		return 0, false
	}
	whole := rational(number)
	if !whole.Num().IsInt64() {
		return math.MaxInt, true
	}
	return int(whole.Num().Int64() / whole.Denom().Int64()), true
}

// exponentLimit is the largest exponent that is read; larger numbers differ in nothing that matters here. Without it, a
// number of a few bytes would need gigabytes.
const exponentLimit = 1000

// rational returns the exact value of a number.
func rational(number json.Number) *big.Rat {
	text := string(number)
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(text[at+1:])
		if err != nil || exponent > exponentLimit || exponent < -exponentLimit {
			exponent = exponentLimit
			if text[at+1] == '-' {
				exponent = -exponentLimit
			}
			text = text[:at] + "e" + strconv.Itoa(exponent)
		}
	}
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return value
}

// canonical writes a value so that equal values have equal texts.
func canonical(value any) string {
	var b strings.Builder
	switch value := value.(type) {
	case json.Number:
		return rational(value).RatString()
	case []any:
		b.WriteByte('[')
		for _, item := range value {
			b.WriteString(canonical(item) + ",")
		}
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(value)) {
			b.WriteString(strconv.Quote(name) + ":" + canonical(value[name]) + ",")
		}
	case string:
		return strconv.Quote(value)
	case bool:
		return strconv.FormatBool(value)
	default:
		return "null"
	}
	return b.String()
}

// display writes a value for a message: a string or a number in full, anything else by its type.
func display(value any) string {
	switch value := value.(type) {
	case string:
		return quote(value)
	case json.Number:
		return string(value)
	case []any, map[string]any:
		return typeOf(value)
	}
	return canonical(value)
}
