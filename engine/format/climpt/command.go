package climpt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Command is what is known of a command without its text.
type Command struct {
	Name
	Title       string    `json:"-"`
	Description string    `json:"description"`
	Usage       string    `json:"usage,omitempty"`
	Options     *Options  `json:"options,omitempty"`
	Variables   Variables `json:"uv,omitempty"`

	raw  string // the entry of a registry of which only name and description were read
	line int    // on which that begins
}

// Options are what a command can be given besides its variables.
type Options struct {
	Edition     []string  `json:"edition,omitempty"`     // variants of the prompt; empty = any
	Adaptation  []string  `json:"adaptation,omitempty"`  // variants of an edition; empty = any
	File        bool      `json:"file"`                  // a file
	Stdin       bool      `json:"stdin"`                 // a text
	Destination bool      `json:"destination"`           // a path for what it produces
	Variables   Variables `json:"uv,omitempty" yaml:"-"` // as some registries have them; see Command.Variables
}

// Variable is a variable of a command, which its text has as {uv-NAME}.
type Variable struct {
	Name, Description string
}

// Variables are the variables of a command in their order. As JSON they are a list of maps with one entry each.
type Variables []Variable

// MarshalJSON writes the variables as registries have them.
func (v Variables) MarshalJSON() ([]byte, error) {
	list := make([]map[string]string, len(v))
	for i, each := range v {
		list[i] = map[string]string{each.Name: each.Description}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads a list of maps, a map, "" and null.
func (v *Variables) UnmarshalJSON(src []byte) error {
	switch src = bytes.TrimSpace(src); {
	case bytes.Equal(src, []byte(`""`)), bytes.Equal(src, []byte("null")):
		*v = nil
		return nil
	case len(src) > 0 && src[0] == '{':
		list, err := variablesOf(src)
		*v = list
		return err
	}
	var maps []json.RawMessage
	if err := json.Unmarshal(src, &maps); err != nil {
		return fmt.Errorf("uv must be a list of maps from a name to its description, not %s", clip(string(src)))
	}
	*v = nil
	for _, each := range maps {
		list, err := variablesOf(each)
		if err != nil {
			return err
		}
		*v = append(*v, list...)
	}
	return nil
}

// variablesOf reads a map from names to descriptions, in its order.
func variablesOf(src []byte) (Variables, error) {
	wrong := fmt.Errorf("uv must map a name to its description, not %s", clip(string(src)))
	dec := json.NewDecoder(bytes.NewReader(src))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, wrong
	}
	var list Variables
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, wrong
		}
		var text string
		if err := dec.Decode(&text); err != nil {
			return nil, wrong
		}
		list = append(list, Variable{name.(string), text})
	}
	return list, nil
}

// placeVariables puts the variables where they are looked for, wherever the file has them.
func (c *Command) placeVariables() {
	if c.Options == nil {
		return
	}
	// Variables at the top level are the newer form, and count.
	if len(c.Variables) == 0 {
		c.Variables = c.Options.Variables
	}
	c.Options.Variables = nil
}

// TakesStdin reports whether the command takes a text.
func (c *Command) TakesStdin() bool { return c.Options != nil && c.Options.Stdin }

// TakesFile reports whether the command takes a file.
func (c *Command) TakesFile() bool { return c.Options != nil && c.Options.File }

// TakesDestination reports whether the command takes a path for what it produces.
func (c *Command) TakesDestination() bool { return c.Options != nil && c.Options.Destination }

// Editions are the variants of the prompt that a call may choose; none = any.
func (c *Command) Editions() []string {
	if c.Options == nil {
		return nil
	}
	return c.Options.Edition
}

// Adaptations are the variants of an edition that a call may choose; none = any.
func (c *Command) Adaptations() []string {
	if c.Options == nil {
		return nil
	}
	return c.Options.Adaptation
}

// Default is the edition that a call has if it chooses none.
const Default = "default"

// CheckVariant refuses an edition or adaptation that the command does not have. The key is for the message.
func CheckVariant(key, chosen string, known []string) error {
	if chosen == "" {
		return nil
	}
	if err := CheckWord(key, chosen); err != nil {
		return err
	}
	// The default edition exists even where the list does not have it.
	if len(known) > 0 && chosen != Default && !slices.Contains(known, chosen) {
		return fmt.Errorf("unknown %s %q (one of %s)", key, chosen, listed(known))
	}
	return nil
}
