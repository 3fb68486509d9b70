package toon

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// decoder reads TOON strictly, as far as this package writes it. It shares nothing with the writer.
type decoder struct {
	lines []string
	at    int
}

var (
	aKey      = `(?:[A-Za-z_][A-Za-z0-9_.]*|"(?:[^"\\]|\\.)*")`
	headerRE  = regexp.MustCompile(`^(` + aKey + `)?\[(\d+)\](?:\{(.*)\})?:(?: (.*))?$`)
	fieldRE   = regexp.MustCompile(`^(` + aKey + `):(?: (.*))?$`)
	numberRE  = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`)
	numericRE = regexp.MustCompile(`^[+-]?[\d.]*\d[\d.]*(?:[eE][+-]?\d+)?$`)
)

func decode(text string) (any, error) {
	if text == "" {
		return map[string]any{}, nil
	}
	d := &decoder{lines: strings.Split(text, "\n")}
	var out any
	var err error
	first := d.lines[0]
	switch m := headerRE.FindStringSubmatch(first); {
	case first == "[]":
		d.at++
		out = []any{}
	case m != nil && m[1] == "":
		d.at++
		out, err = d.array(m, 0)
	case len(d.lines) == 1 && fieldRE.FindString(first) == "" && m == nil:
		d.at++
		out, err = value(first)
	default:
		out, err = d.object(0, map[string]any{})
	}
	if err == nil && d.at != len(d.lines) {
		err = fmt.Errorf("line %d is left over: %q", d.at+1, d.lines[d.at])
	}
	return out, err
}

// peek returns the next line if it is at a depth.
func (d *decoder) peek(depth int) (string, bool) {
	if d.at == len(d.lines) {
		return "", false
	}
	line := d.lines[d.at]
	text := strings.TrimLeft(line, " ")
	return text, len(line)-len(text) == 2*depth
}

// object reads fields at a depth into out.
func (d *decoder) object(depth int, out map[string]any) (any, error) {
	for {
		text, ok := d.peek(depth)
		if !ok || text == "-" || strings.HasPrefix(text, "- ") {
			return out, nil
		}
		d.at++
		if err := d.field(text, depth, out); err != nil {
			return nil, err
		}
	}
}

// field reads a field whose first line has been read.
func (d *decoder) field(text string, depth int, out map[string]any) error {
	var rawKey string
	var v any
	var err error
	if m := headerRE.FindStringSubmatch(text); m != nil && m[1] != "" {
		rawKey = m[1]
		v, err = d.array(m, depth)
	} else if m := fieldRE.FindStringSubmatch(text); m != nil {
		rawKey = m[1]
		switch {
		case strings.HasSuffix(text, ":") && m[2] == "":
			v, err = d.object(depth+1, map[string]any{})
		case m[2] == "[]":
			v = []any{}
		default:
			v, err = value(m[2])
		}
	} else {
		return fmt.Errorf("%q is no field", text)
	}
	if err != nil {
		return err
	}
	key := rawKey
	if key[0] == '"' {
		if key, err = unquote(key); err != nil {
			return err
		}
	}
	if _, twice := out[key]; twice {
		return fmt.Errorf("key %q occurs twice", key)
	}
	out[key] = v
	return nil
}

// array reads what follows a header whose depth is given.
func (d *decoder) array(m []string, depth int) ([]any, error) {
	count, _ := strconv.Atoi(m[2])
	out := []any{}
	var err error
	switch {
	case m[3] != "":
		for range count {
			text, ok := d.peek(depth + 1)
			if !ok {
				return nil, fmt.Errorf("rows of %q are missing", m[0])
			}
			d.at++
			row, err := rowOf(m[3], text)
			if err != nil {
				return nil, err
			}
			out = append(out, row)
		}
	case m[4] != "":
		out, err = cells(m[4])
	default:
		for range count {
			item, err := d.item(depth + 1)
			if err != nil {
				return nil, err
			}
			out = append(out, item)
		}
	}
	if err == nil && len(out) != count {
		err = fmt.Errorf("%d elements in %q", len(out), m[0])
	}
	return out, err
}

func (d *decoder) item(depth int) (any, error) {
	text, ok := d.peek(depth)
	if !ok {
		return nil, errors.New("an element is missing")
	}
	d.at++
	if text == "-" {
		return map[string]any{}, nil
	}
	text, ok = strings.CutPrefix(text, "- ")
	if !ok {
		return nil, fmt.Errorf("%q is no element", text)
	}
	if m := headerRE.FindStringSubmatch(text); m != nil && m[1] == "" {
		return d.array(m, depth)
	} else if m != nil || fieldRE.MatchString(text) {
		out := map[string]any{}
		if err := d.field(text, depth+1, out); err != nil {
			return nil, err
		}
		return d.object(depth+1, out)
	}
	return value(text)
}

func rowOf(columns, text string) (any, error) {
	names, err := split(columns)
	if err != nil {
		return nil, err
	}
	values, err := cells(text)
	if err != nil || len(values) != len(names) {
		return nil, fmt.Errorf("row %q for %q: %v", text, columns, err)
	}
	out := map[string]any{}
	for i, name := range names {
		if name[0] == '"' {
			if name, err = unquote(name); err != nil {
				return nil, err
			}
		}
		out[name] = values[i]
	}
	return out, nil
}

func cells(text string) ([]any, error) {
	parts, err := split(text)
	out := []any{}
	for _, part := range parts {
		v, bad := value(part)
		err = errors.Join(err, bad)
		out = append(out, v)
	}
	return out, err
}

// split divides a text at commas outside of quotes.
func split(text string) ([]string, error) {
	var out []string
	quoted, begin := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			out = append(out, text[begin:i])
			begin = i + 1
		}
	}
	if quoted {
		return nil, fmt.Errorf("%q ends in quotes", text)
	}
	return append(out, text[begin:]), nil
}

func value(text string) (any, error) {
	switch {
	case text == "" || strings.TrimSpace(text) != text:
		return nil, fmt.Errorf("value %q", text)
	case text[0] == '"':
		return unquote(text)
	case text == "true", text == "false":
		return text == "true", nil
	case text == "null":
		return nil, nil
	case numberRE.MatchString(text):
		return strconv.ParseFloat(text, 64)
	case numericRE.MatchString(text), strings.ContainsAny(text, "\":[]{}\\,"), text[0] == '-', text[0] == '#':
		return nil, fmt.Errorf("%q is not quoted", text)
	}
	return text, nil
}

func unquote(text string) (string, error) {
	if len(text) < 2 || !strings.HasSuffix(text, `"`) {
		return "", fmt.Errorf("%q is not quoted", text)
	}
	var out strings.Builder
	for rest := text[1 : len(text)-1]; rest != ""; {
		if rest[0] != '\\' {
			if rest[0] == '"' || rest[0] < ' ' {
				return "", fmt.Errorf("%q in %q", rest[0], text)
			}
			out.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		if len(rest) >= 6 && rest[1] == 'u' {
			n, err := strconv.ParseUint(rest[2:6], 16, 16)
			if err != nil {
				return "", err
			}
			out.WriteRune(rune(n))
			rest = rest[6:]
			continue
		}
		i := -1
		if len(rest) > 1 {
			i = strings.IndexByte(`\"nrt`, rest[1])
		}
		if i < 0 {
			return "", fmt.Errorf("escape in %q", text)
		}
		out.WriteByte("\\\"\n\r\t"[i])
		rest = rest[2:]
	}
	return out.String(), nil
}
