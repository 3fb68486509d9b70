package climpt

import (
	"errors"
	"reflect"
	"strings"

	"chant/markdown"
)

// Same reports whether two records say the same, whatever form their file has.
func (c Command) Same(other Command) bool {
	plain := func(c Command) Command {
		// The title is not in a registry, so it cannot differ there.
		c.Title = ""
		var o Options
		if c.Options != nil {
			o = *c.Options
		}
		if len(o.Edition) == 0 {
			o.Edition = nil
		}
		if len(o.Adaptation) == 0 {
			o.Adaptation = nil
		}
		o.Variables, c.Options = nil, &o
		if len(c.Variables) == 0 {
			c.Variables = nil
		}
		return c
	}
	return reflect.DeepEqual(plain(c), plain(other))
}

// CheckDescription refuses a description by which the command could not be found.
func (c *Command) CheckDescription() error {
	switch {
	case c.Description == "":
		return errors.New("a command needs a description, by which it is found")
	case strings.ContainsAny(c.Description+c.Title, "\r\n"):
		return errors.New("description and title are one line each")
	}
	return nil
}

// Prompt is the file of a new command with a text. A text that has a place for {input_text}, {input_text_file} or
// {destination_path} has the options for it.
func (c *Command) Prompt(text string) ([]byte, error) {
	doc, err := markdown.Parse("prompt", []byte("---\n---\n\n"+strings.TrimLeft(text, "\n")))
	if err != nil {
		return nil, err
	}
	title := c.Title
	if title == "" {
		title = c.Description
	}
	edits := []markdown.Edit{
		markdown.Set("c1", c.C1), markdown.Set("c2", c.C2), markdown.Set("c3", c.C3), markdown.Set("title", title),
		markdown.Set("description", c.Description), markdown.Set("c3l_version", "0.5"),
	}
	edits = append(edits, markdown.Set("options", map[string]any{
		"file":        strings.Contains(text, "{input_text_file}"),
		"stdin":       strings.Contains(text, "{input_text}"),
		"destination": strings.Contains(text, "{destination_path}"),
	}))
	if len(c.Variables) > 0 {
		var list []map[string]string
		for _, v := range c.Variables {
			list = append(list, map[string]string{v.Name: v.Description})
		}
		edits = append(edits, markdown.Set("uv", list))
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return nil, err
	}
	return doc.Bytes(), nil
}
