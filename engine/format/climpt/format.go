package climpt

import (
	"bytes"
	"encoding/json"
	"slices"
)

// member is a key of an object with its value.
type member struct {
	key   string
	value json.RawMessage
}

// Format is the registry as a file. Whatever else the file had from which it was read stays: keys, their order, and
// entries that were not changed.
func (r *Registry) Format() ([]byte, error) {
	commands := make([]json.RawMessage, len(r.Commands))
	var err error
	for i, c := range r.Commands {
		commands[i] = json.RawMessage(c.raw)
		// An entry that was not changed stays byte for byte.
		if c.raw == "" {
			if commands[i], err = encode(c); err != nil {
				return nil, err
			}
		}
	}
	top, err := membersOf([]byte(r.source))
	if err != nil {
		return nil, err
	}
	var tools []member
	for _, m := range top {
		if m.key == "tools" {
			if tools, err = membersOf(m.value); err != nil {
				return nil, err
			}
		}
	}
	if r.source == "" {
		top = []member{{"version", nil}, {"description", nil}}
		if top[0].value, err = encode(r.Version); err != nil {
			return nil, err
		}
		if top[1].value, err = encode(r.Description); err != nil {
			return nil, err
		}
	}
	if tools, err = r.withDomains(tools); err != nil {
		return nil, err
	}
	list, err := encode(commands)
	if err != nil {
		return nil, err
	}
	out, err := encodeIndented(setMember(top, "tools", object(setMember(tools, "commands", list))))
	return append([]byte(r.mark), out...), err
}

// withDomains sets the list of domains, unless the file has something else there.
func (r *Registry) withDomains(tools []member) ([]member, error) {
	for _, m := range tools {
		var words []string
		// A list that is not one of words is of another program, and stays.
		if m.key == "availableConfigs" && json.Unmarshal(m.value, &words) != nil {
			return tools, nil
		}
	}
	domains := r.Domains()
	if domains == nil {
		domains = []string{}
	}
	value, err := encode(domains)
	return setMember(tools, "availableConfigs", value), err
}

// membersOf reads the keys of an object in their order; none of no object.
func membersOf(src []byte) ([]member, error) {
	if len(src) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var out []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if text, ok := key.(string); ok {
			out = setMember(out, text, value)
		}
	}
	return out, nil
}

// setMember sets the value of a key, at the place that it has or at the end.
func setMember(members []member, key string, value json.RawMessage) []member {
	for i := range members {
		if members[i].key == key {
			members[i].value = value
			return members
		}
	}
	return append(members, member{key, value})
}

// object writes members as JSON.
func object(members []member) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		key, _ := json.Marshal(m.key) // a string
		out.Write(key)
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// encodeIndented returns an object as the text of a file.
func encodeIndented(members []member) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, object(members), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// encode writes a value without the escapes that only HTML needs.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// MergeInto returns the command with everything else that the entry of another has: keys that are not known, and their
// order.
func (c Command) MergeInto(was Command) (Command, error) {
	kept, err := membersOf([]byte(was.raw))
	if err != nil {
		return c, err
	}
	src, err := encode(c)
	if err != nil {
		return c, err
	}
	known, err := membersOf(src)
	if err != nil {
		return c, err
	}
	for _, m := range known {
		kept = setMember(kept, m.key, m.value)
	}
	c.raw, c.line = string(object(kept)), was.line
	return c, nil
}

// WithVariants returns the command with the editions and adaptations of another as well.
func (c Command) WithVariants(other Command) Command {
	o := Options{}
	if c.Options != nil {
		o = *c.Options
	}
	o.Edition = union(o.Edition, other.Editions())
	o.Adaptation = union(o.Adaptation, other.Adaptations())
	c.Options = &o
	return c
}

// union returns the words of two lists, each once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, word := range b {
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
