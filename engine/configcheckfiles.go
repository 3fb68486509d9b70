package engine

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chant/engine/shape"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
	"chant/providers"
	"chant/providers/cli"

	"go.yaml.in/yaml/v3"
)

// providerFiles checks each provider that the project describes. Error: a folder that
// cannot be listed.
func (c *configChecker) providerFiles() error {
	names, err := c.e.documents(store.ProvidersDir)
	for _, name := range names {
		if spec.ValidName(name) == nil {
			c.providerFile(name, store.ProvidersDir+"/"+name+".md")
		}
	}
	return err
}

func (c *configChecker) providerFile(name, path string) {
	src, root, err := c.matter(path)
	if err != nil {
		c.unreadable(path, err)
		return
	}
	faults := shape.Check[providerFields](&root, shape.Law{})
	c.faults(spot{path: path}, faults)
	if slices.ContainsFunc(faults, func(f shape.Fault) bool { return !f.Unknown }) {
		return // what it describes is not known
	}
	at := func(key string) spot { return spot{path: path, line: shape.Line(&root, key) + 1} }
	d, err := c.e.ownDefinition(name, nil)
	if err == nil {
		_, err = cli.New(*d)
	}
	if err != nil {
		c.add(spot{path: path, line: whereSaid(src, &root, err)}, ruleBadValue, strings.TrimPrefix(saidOf(err), path+": "))
		return
	}
	c.uses = append(c.uses, providerUse{at("command"), name})
	if d.Endpoint != "" {
		c.asked = append(c.asked, askedURL{at("endpoint"), d.Endpoint})
	}
}

// promptForm has the keys of a prompt, and of what is put behind one.
type promptForm struct {
	Name    string `yaml:"name"`
	Purpose string `yaml:"purpose"`
	Extends string `yaml:"extends"`
}

// prompts checks the project's prompts. Error: a folder that cannot be listed.
func (c *configChecker) prompts() error {
	c.found = append(c.found, c.e.promptFaults()...)
	for _, dir := range []string{store.PromptsDir, extensionsDir} {
		names, err := c.e.documents(dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			path := dir + "/" + name + ".md"
			if _, root, err := c.matter(path); err == nil { // else it was told of
				c.faults(spot{path: path}, shape.Check[promptForm](&root, shape.Law{}))
			}
		}
	}
	return nil
}

// matter is a file and its front matter.
func (c *configChecker) matter(path string) (src []byte, root yaml.Node, err error) {
	if src, err = c.e.store.ReadTree(c.e.Home(), path); err != nil {
		return nil, root, err
	}
	doc, err := markdown.Parse(path, src)
	if err == nil {
		err = doc.Decode(&root)
	}
	return src, root, err
}

// saidOf is what is wrong with a definition, without its name.
func saidOf(err error) string {
	if config, ok := errors.AsType[*providers.ConfigError](err); ok {
		return config.Msg
	}
	return err.Error()
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// whereSaid is the line that an error about a definition means: where the text stands
// that it quotes, or the key that it begins with, or what the definition is like.
func whereSaid(src []byte, root *yaml.Node, err error) int {
	said := saidOf(err)
	for _, quoted := range inQuotes.FindAllString(said, -1) {
		text, err := strconv.Unquote(quoted)
		if i := bytes.Index(src, []byte(text)); err == nil && text != "" && i >= 0 {
			return 1 + bytes.Count(src[:i], []byte("\n"))
		}
	}
	key, _, _ := strings.Cut(said, " ")
	return max(shape.Line(root, key), shape.Line(root, "like")) + 1
}
