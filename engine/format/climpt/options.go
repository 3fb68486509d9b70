package climpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Given are the options of a call.
type Given struct {
	Edition     string
	Adaptation  string
	File        string            // a path, as it was given
	Destination string            // a path, as it was given
	Stdin       *string           // a text; nil = none
	Spec        string            // the id of a spec whose fields are filled in
	Variables   map[string]string // by name, without "uv-"
}

// ParseOptions reads the options of a call: an object such as {"edition": "bug", "uv": {"target": "x"}}, a list of
// command-line words such as ["--edition=bug", "--uv-target=x"], or both as one string. Empty input, null and ""
// mean no options.
func ParseOptions(raw json.RawMessage) (Given, error) {
	g := Given{Variables: map[string]string{}}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return g, nil
	}
	switch raw[0] {
	case '{':
		return g, g.readObject(raw)
	case '[':
		var words []string
		if err := json.Unmarshal(raw, &words); err != nil {
			return g, errors.New("options as a list must be strings such as --edition=NAME")
		}
		return g, g.readWords(words)
	case '"':
		var line string
		if err := json.Unmarshal(raw, &line); err != nil {
			return g, fmt.Errorf("invalid options: %w", err)
		}
		// Agents pass an object as a string, too.
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") {
			return ParseOptions(json.RawMessage(line))
		}
		words, err := splitWords(line)
		if err != nil {
			return g, err
		}
		return g, g.readWords(words)
	}
	if string(raw) == "null" {
		return g, nil
	}
	return g, fmt.Errorf("options must be an object, not %s", clip(string(raw)))
}

// readObject reads options of an object.
func (g *Given) readObject(raw []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return fmt.Errorf("options must be an object: %w", err)
	}
	for _, key := range keysOf(object) {
		value := object[key]
		if key == "uv" {
			if err := g.readVariables(value); err != nil {
				return err
			}
			continue
		}
		if !isOption(key) {
			return unknownOption(key)
		}
		text, given, err := textOf("options."+key, value, strings.HasPrefix(key, "uv"))
		if err != nil {
			return err
		}
		if !given {
			continue
		}
		if err := g.set(key, text); err != nil {
			return err
		}
	}
	return nil
}

// readVariables reads the value of options.uv: a map, or a list of maps.
func (g *Given) readVariables(raw json.RawMessage) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for _, each := range list {
			if err := g.readVariables(each); err != nil {
				return err
			}
		}
		return nil
	}
	var values map[string]json.RawMessage
	if string(raw) == `""` {
		return nil
	}
	if err := json.Unmarshal(raw, &values); err != nil {
		return fmt.Errorf("options.uv must be an object from names to values, not %s", clip(string(raw)))
	}
	for _, name := range keysOf(values) {
		text, given, err := textOf("options.uv."+name, values[name], true)
		if err != nil {
			return err
		}
		if given {
			if err := g.setVariable(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// textOf reads a value that should be a string. false, null and an empty list are absent, and a list of one string is
// that string. With scalars, numbers and booleans are texts, too.
func textOf(key string, raw json.RawMessage, scalars bool) (text string, given bool, err error) {
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return "", false, fmt.Errorf("invalid %s: %w", key, err)
	}
	switch v := value.(type) {
	case nil:
		return "", false, nil
	case string:
		return v, true, nil
	case bool:
		if scalars {
			return fmt.Sprint(v), true, nil
		}
		// Agents copy the description of the options into the call, so false and null mean absent.
		if !v {
			return "", false, nil
		}
	case json.Number:
		if scalars {
			return v.String(), true, nil
		}
	case []any:
		if len(v) == 0 {
			return "", false, nil
		}
		if one, ok := v[0].(string); ok && len(v) == 1 {
			return one, true, nil
		}
	}
	return "", false, fmt.Errorf("%s must be a string, not %s", key, clip(string(raw)))
}

// isOption reports whether a key is the name of an option.
func isOption(key string) bool {
	_, known := new(Given).textOption(key)
	return known || key == "stdin" || key == "input_text" || key == "input" || strings.HasPrefix(key, "uv-")
}

func unknownOption(key string) error {
	return fmt.Errorf("unknown option %q (use edition, adaptation, file, destination, stdin, spec or uv-NAME)", clip(key))
}

// textOption returns the option with a long or short name whose value is a string; false for others.
func (g *Given) textOption(key string) (to *string, known bool) {
	switch key {
	case "edition", "e":
		return &g.Edition, true
	case "adaptation", "a":
		return &g.Adaptation, true
	case "file", "from", "f":
		return &g.File, true
	case "destination", "o":
		return &g.Destination, true
	case "spec":
		return &g.Spec, true
	}
	return nil, false
}

// set sets the option with a long or short name, once.
func (g *Given) set(key, value string) error {
	if name, ok := strings.CutPrefix(key, "uv-"); ok {
		return g.setVariable(name, value)
	}
	to, known := g.textOption(key)
	switch {
	case known && *to != "", !known && isOption(key) && g.Stdin != nil:
		return fmt.Errorf("option %q is given twice", clip(key))
	case known:
		*to = value
	case isOption(key):
		g.Stdin = &value
	default:
		return unknownOption(key)
	}
	return nil
}

func (g *Given) setVariable(name, value string) error {
	if err := CheckVariable(name); err != nil {
		return err
	}
	if value == "" {
		return fmt.Errorf("variable %q is empty", name)
	}
	if _, twice := g.Variables[name]; twice {
		return fmt.Errorf("variable %q is given twice", name)
	}
	g.Variables[name] = value
	return nil
}

// readWords reads options as a command line has them: --edition=NAME, --edition NAME, -e NAME, -e=NAME.
func (g *Given) readWords(words []string) error {
	for i := 0; i < len(words); i++ {
		key, dashed := strings.CutPrefix(words[i], "-")
		if !dashed || key == "" {
			return fmt.Errorf("unexpected argument %q (options begin with --)", clip(words[i]))
		}
		key = strings.TrimPrefix(key, "-")
		key, value, has := strings.Cut(key, "=")
		if !isOption(key) {
			return unknownOption(key)
		}
		if !has {
			// A single dash is a value: it means the standard input.
			if i+1 == len(words) || strings.HasPrefix(words[i+1], "-") && words[i+1] != "-" {
				return fmt.Errorf("option %q has no value", clip(words[i]))
			}
			i++
			value = words[i]
		}
		if err := g.set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// splitWords splits a command line at blanks outside of quotes. A backslash keeps the character after it, except
// between single quotes.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 || escaped {
		return nil, fmt.Errorf("options have a quote that does not end: %q", clip(line))
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
