package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// shape is what is read of a schema to help with a call that does not fit it.
type shape struct {
	Required   []string `json:"required"`
	Properties map[string]struct {
		Type any `json:"type"`
	} `json:"properties"`
}

func (t Tool) shape() shape {
	var s shape
	// Without a schema there is nothing to help with.
	_ = json.Unmarshal(t.Schema, &s)
	return s
}

// missingField is the first required field that is not there, "" when all are.
func (t Tool) missingField(fields map[string]json.RawMessage) string {
	for _, name := range t.shape().Required {
		if value, ok := fields[name]; !ok || string(value) == "null" {
			return name
		}
	}
	return ""
}

// example returns example values for the required arguments of a tool.
func (t Tool) example() string {
	s := t.shape()
	var parts []string
	for _, name := range s.Required {
		kind, isOne := s.Properties[name].Type.(string)
		if !isOne {
			kind = "value"
		}
		parts = append(parts, fmt.Sprintf("%q: <%s>", name, kind))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// typedCall makes the Call of one of the loop's own tools from a function of its input.
func typedCall[I any](do func(ctx context.Context, in I) (string, error)) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		var in I
		if err := json.Unmarshal(input, &in); err != nil {
			return "", fmt.Errorf("an argument has the wrong type: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
		return do(ctx, in)
	}
}

// number is a whole number, which small models write as a text now and then.
type number int

// UnmarshalJSON reads 12, "12" and 12.0.
func (n *number) UnmarshalJSON(src []byte) error {
	var f float64
	// Small models write numbers as texts now and then.
	if err := json.Unmarshal([]byte(strings.Trim(string(src), `"`)), &f); err != nil {
		return fmt.Errorf("%s is not a number", src)
	}
	*n = number(f)
	return nil
}
