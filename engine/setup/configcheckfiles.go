package setup

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/shape"
	"chant/engine/verify/linter"
	"chant/markdown"
	"chant/providers/cli"

	"go.yaml.in/yaml/v3"
)

// checkProviderFiles checks each provider that the project describes. It returns an error if their folder cannot be
// listed.
func (c *configChecker) checkProviderFiles() error {
	names, err := prompt.Documents(c.p, store.ProvidersDir)
	for _, name := range names {
		// A file with another name does not describe a provider.
		if spec.ValidName(name) == nil {
			c.checkProviderFile(name, store.ProvidersDir+"/"+name+".md")
		}
	}
	return err
}

func (c *configChecker) checkProviderFile(name, path string) {
	root, err := c.frontMatter(path)
	if err != nil {
		c.addUnreadable(path, err)
		return
	}
	var fields config.ProviderFields
	faults := shape.Read(&root, &fields, shape.Schema{Rules: config.Rules(), Above: 1})
	c.addFaults(spot{path: path}, faults)
	// An unknown key is reported, and changes nothing of the provider.
	faults = slices.DeleteFunc(faults, func(f shape.Fault) bool { return f.Unknown })
	d, problems := c.definitionOf(name, path, fields)
	// A command that cannot be read is not missing.
	if slices.ContainsFunc(faults, func(f shape.Fault) bool { return f.Key == "like" || f.Key == "command" }) {
		problems = slices.DeleteFunc(problems, func(p string) bool { return p == cli.NoCommand })
	}
	for _, problem := range problems {
		for _, line := range linesOfProblem(&root, problem) {
			c.add(spot{path: path, line: line}, config.RuleBadValue, problem)
		}
	}
	at := func(key string) spot { return spot{path: path, line: shape.Line(&root, key) + 1} }
	// The definition as a whole is not known.
	if len(faults)+len(problems) > 0 {
		unread := slices.ContainsFunc(faults, func(f shape.Fault) bool { return f.Key == "command" })
		if d != nil && d.Command != "" && !unread {
			c.checkProgram(providerUse{at("command"), name}, d.Command)
		}
		return
	}
	c.uses = append(c.uses, providerUse{at("command"), name})
	if d.Endpoint != "" {
		c.asked = append(c.asked, endpointUse{at("endpoint"), d.Endpoint})
	}
}

// definitionOf returns the definition that the fields of a file describe, and its problems.
func (c *configChecker) definitionOf(name, path string, f config.ProviderFields) (*cli.Definition, []string) {
	d, err := usage.Define(c.p, name, f, nil)
	if err == nil {
		return d, d.Problems()
	}
	problems := []string{strings.TrimPrefix(err.Error(), path+": ")}
	// The fields of the file itself can still be checked.
	f.Like = ""
	if d, err = usage.Define(c.p, name, f, nil); err == nil {
		problems = append(problems, slices.DeleteFunc(d.Problems(), func(p string) bool { return p == cli.NoCommand })...)
	}
	return d, problems
}

// promptForm has the keys of a prompt and of a prompt extension, with those that make a prompt a command.
type promptForm struct {
	Name        string `yaml:"name"`
	Title       string `yaml:"title"`
	Description string `yaml:"description"`
	Purpose     string `yaml:"purpose"`
	Extends     string `yaml:"extends"`
	C1          string `yaml:"c1"`
	C2          string `yaml:"c2"`
	C3          string `yaml:"c3"`
	Usage       string `yaml:"usage"`
	Version     string `yaml:"c3l_version"`
	Options     any    `yaml:"options"`
	UV          any    `yaml:"uv"`
}

// checkPrompts checks the project's prompts and extensions. It returns an error if a folder cannot be listed.
func (c *configChecker) checkPrompts() error {
	c.found = append(c.found, linter.CheckPrompts(c.p)...)
	for _, dir := range []string{store.PromptsDir, prompt.ExtensionsDir} {
		names, err := prompt.Documents(c.p, dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			path := dir + "/" + name + ".md"
			// linter.CheckPrompts has reported an error.
			if root, err := c.frontMatter(path); err == nil {
				c.addFaults(spot{path: path}, shape.Read(&root, new(promptForm), shape.Schema{Above: 1}))
			}
		}
	}
	return nil
}

// frontMatter returns the front matter of a file.
func (c *configChecker) frontMatter(path string) (yaml.Node, error) {
	_, root, err := c.document(path)
	return root, err
}

// document returns a file and its front matter.
func (c *configChecker) document(path string) (doc *markdown.Document, root yaml.Node, err error) {
	src, err := c.p.Store.ReadTree(engine.Home(c.p), path)
	if err != nil {
		return nil, root, err
	}
	if doc, err = markdown.Parse(path, src); err == nil {
		err = doc.Decode(&root)
	}
	return doc, root, err
}

var inQuotes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
})

// linesOfProblem returns the lines of a file that a problem concerns: the line of the key with which it begins, or else
// those with the text that it quotes, or else the line of the key `like`.
func linesOfProblem(root *yaml.Node, said string) []int {
	key, _, _ := strings.Cut(said, " ")
	if line := shape.Line(root, strings.TrimSuffix(key, ":")); line > 0 {
		return []int{line + 1}
	}
	for _, quoted := range inQuotes().FindAllString(said, -1) {
		if text, err := strconv.Unquote(quoted); err == nil && text != "" {
			if lines := linesWith(root, text); len(lines) > 0 {
				return lines
			}
		}
	}
	return []int{shape.Line(root, "like") + 1}
}

// linesWith returns the lines of a file on which values of its front matter contain a text.
func linesWith(node *yaml.Node, text string) []int {
	if node.Kind == yaml.ScalarNode && strings.Contains(node.Value, text) {
		// The fence is a line, too.
		return []int{node.Line + 1}
	}
	var lines []int
	for _, inner := range node.Content {
		lines = append(lines, linesWith(inner, text)...)
	}
	return lines
}
