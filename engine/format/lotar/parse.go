package lotar

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chant/engine/spec/task"

	"go.yaml.in/yaml/v3"
)

// Limits of values, in characters.
const (
	maxWord    = 50
	maxPerson  = 100
	maxText    = 100
	longPrefix = 12 // from which on a prefix is unusual
)

// parseValue reads the text of a value for a setting; nil means that the setting is removed.
func (ch *Change) parseValue(s setting, text string) (any, error) {
	if isList(s.kind) {
		return ch.parseList(s, text)
	}
	if text == "" {
		return nil, nil
	}
	switch s.kind {
	case port:
		n, err := parseNumber(text, 1, 65535)
		if err == nil && n < 1024 {
			ch.warn("ports below 1024 need privileges")
		}
		return n, err
	case count:
		return parseNumber(text, 0, 1<<31-1)
	case upload:
		return parseNumber(text, -1, 1<<31-1)
	case flag:
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	case prefix:
		if len(text) > longPrefix {
			ch.warn("project prefix '%s' is long (more than %d characters)", text, longPrefix)
		}
		return text, task.CheckPrefix(text)
	case person:
		return task.NormalizeMember(text), checkLength(text, maxPerson)
	case length:
		if !lengthForm(text) {
			ch.warn("%s '%s' is not a length such as 10d or 2w", s.name, text)
		}
		return text, checkLength(text, maxWord)
	case aliases:
		return parseAliases(text)
	case free:
		return parseFree(text)
	}
	return text, checkLength(text, maxText)
}

func parseNumber(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text, least, most)
	}
	return n, nil
}

// checkLength refuses long texts and texts of several lines.
func checkLength(text string, most int) error {
	if utf8.RuneCountInString(text) > most {
		return fmt.Errorf("%.20q… is longer than %d characters", text, most)
	}
	if strings.ContainsAny(text, "\r\n") {
		return errors.New("a value is one line of text")
	}
	return nil
}

func lengthForm(text string) bool {
	return regexp.MustCompile(`^[0-9]+ *(d|w|day|days|week|weeks)$`).MatchString(strings.ToLower(text))
}

// parseList reads a list with commas, or one in JSON.
func (ch *Change) parseList(s setting, text string) (any, error) {
	var items []string
	if strings.HasPrefix(text, "[") {
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			return nil, fmt.Errorf("%q is not a list of texts", text)
		}
	} else {
		items = strings.Split(text, ",")
	}
	// Empty entries are left out silently; only repetitions are worth a warning.
	given := len(slices.DeleteFunc(slices.Clone(items), func(item string) bool { return strings.TrimSpace(item) == "" }))
	if s.kind == people {
		for i := range items {
			items[i] = task.NormalizeMember(items[i])
		}
	}
	if items = withoutRepetitions(items); len(items) < given {
		ch.warn("%s: values that appear twice are kept once", s.name)
	}
	if len(items) == 0 {
		if s.kind == filled {
			return nil, errors.New("the list cannot be empty")
		}
		return nil, nil
	}
	most := maxWord
	if s.kind == people || s.kind == pattern {
		most = maxPerson
	}
	for _, item := range items {
		if err := checkLength(item, most); err != nil {
			return nil, err
		}
		if _, err := regexp.Compile(item); s.kind == pattern && err != nil {
			ch.warn("%s: %q is not a valid regular expression", s.name, item)
		}
		// A custom field would hide the field of the same name.
		if s.name == "custom_fields" && slices.Contains(append(task.ReservedFields(), "sprint_order"), strings.ToLower(item)) {
			return nil, fmt.Errorf("%q is a field of every task", item)
		}
	}
	return items, nil
}

// parseFree reads a value of any form: YAML, of which JSON is a part, else a text.
func parseFree(text string) (any, error) {
	var value any
	// Text that is not YAML is a plain text.
	if err := yaml.Unmarshal([]byte(text), &value); err != nil || value == nil {
		return text, nil
	}
	return value, nil
}

// sameValue reports whether a value in a file is the same as one to be set.
func sameValue(node *yaml.Node, value any) bool {
	switch v := value.(type) {
	case []string:
		l := layer{values: map[string]*yaml.Node{"": node}}
		items, err := l.items("")
		return err == nil && slices.Equal(items, v)
	case map[string]string:
		have := map[string]string{}
		return node.Decode(&have) == nil && maps.Equal(have, v)
	case string, int, bool:
		return node.Kind == yaml.ScalarNode && strings.TrimSpace(node.Value) == fmt.Sprint(v)
	}
	return false
}
