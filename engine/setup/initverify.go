package setup

import (
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// checkCommands refuses commands that settings cannot hold, and leaves out repeated ones.
func (i *initializer) checkCommands(context.Context) error {
	var kept []string
	for _, command := range i.in.Verify {
		command = strings.TrimSpace(command)
		// A line break would end the setting.
		if command == "" || strings.ContainsAny(command, "\r\n") {
			return engine.Fail(engine.Usage, next.Init.Help(), "invalid command %q to verify (use one line, such as go test ./...)", command)
		}
		if err := engine.PlainText("verify", command); err != nil {
			return err
		}
		// A command that is named twice would run twice.
		if !slices.Contains(kept, command) {
			kept = append(kept, command)
		}
	}
	i.in.Verify = kept
	return nil
}

// withVerify returns the settings with the commands for every spec in place of those that they have. The other settings
// under verify stay. Error: Invalid if verify is not a mapping, since it would have to be written anew.
func (i *initializer) withVerify(doc *markdown.Document) (*markdown.Document, error) {
	if len(i.in.Verify) == 0 {
		return doc, nil
	}
	commands := &yaml.Node{}
	if err := commands.Encode(i.in.Verify); err != nil {
		return nil, err
	}
	verify := &yaml.Node{}
	if _, err := doc.Get("verify", verify); err != nil {
		return nil, err
	}
	switch {
	case verify.IsZero() || verify.ShortTag() == "!!null":
		verify = &yaml.Node{Kind: yaml.MappingNode}
	case verify.Kind != yaml.MappingNode:
		return nil, engine.Fail(engine.Invalid, next.EditFile(store.ConfigPath), "%s:%d: verify is not a mapping, so commands cannot be added to it (use verify: {defaults: [...]})", store.ConfigPath, doc.KeyLine("verify"))
	}
	// It is that of the document.
	verify.Content = slices.Clone(verify.Content)
	for at := 0; at+1 < len(verify.Content); at += 2 {
		// Settings may use either name.
		if key := verify.Content[at].Value; key == "defaults" || key == "commands" {
			verify.Content[at+1] = commands
			return doc.Apply(markdown.Set("verify", verify))
		}
	}
	verify.Content = append(verify.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "defaults"}, commands)
	return doc.Apply(markdown.Set("verify", verify))
}
