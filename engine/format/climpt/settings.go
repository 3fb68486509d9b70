package climpt

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"go.yaml.in/yaml/v3"
)

// App says where the prompts of a domain are: climpt's NAME-app.yml.
type App struct {
	WorkingDir string // relative to the top of the project; "" = the top
	BaseDir    string // relative to WorkingDir
}

// User limits the commands of a domain: climpt's NAME-user.yml.
type User struct {
	Prefix string  // of destinations
	Action Pattern // of c2
	Target Pattern // of c3
}

// Pattern is a pattern that a word must match. The zero Pattern matches everything.
type Pattern struct {
	Text string
	Path string
	Line int
	re   *regexp.Regexp
}

// ParseApp reads an app.yml. Error: *Fault.
func ParseApp(path string, src []byte) (App, error) {
	root, err := readYAML(path, src)
	if err != nil {
		return App{}, err
	}
	var app App
	if app.WorkingDir, _, err = textAt(path, root, "working_dir"); err != nil {
		return App{}, err
	}
	app.BaseDir, _, err = textAt(path, root, "app_prompt", "base_dir")
	return app, err
}

// ParseUser reads a user.yml. Error: *Fault, also for a pattern that is not one of RE2.
func ParseUser(path string, src []byte) (User, error) {
	root, err := readYAML(path, src)
	if err != nil {
		return User{}, err
	}
	var u User
	if u.Prefix, _, err = textAt(path, root, "options", "destination", "prefix"); err != nil {
		return User{}, err
	}
	if u.Action, err = patternAt(path, root, "params", "two", "directiveType", "pattern"); err != nil {
		return User{}, err
	}
	u.Target, err = patternAt(path, root, "params", "two", "layerType", "pattern")
	return u, err
}

// Check refuses a name that the patterns do not allow. Error: *Fault.
func (u User) Check(n Name) error {
	for _, each := range []struct {
		key, word string
		pattern   Pattern
	}{{"c2", n.C2, u.Action}, {"c3", n.C3, u.Target}} {
		if p := each.pattern; p.re != nil && !p.re.MatchString(each.word) {
			return &Fault{p.Path, p.Line, fmt.Sprintf("%s %q does not match the pattern %q", each.key, each.word, p.Text)}
		}
	}
	return nil
}

func readYAML(path string, src []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), &doc); err != nil {
		return nil, yamlFault(path, err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, &Fault{path, root.Line, "has no keys"}
	}
	return root, nil
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: line (\d+): (.*)`) })

// yamlFault locates an error of the YAML parser.
func yamlFault(path string, err error) *Fault {
	line, msg := 1, err.Error()
	if m := yamlLine().FindStringSubmatch(msg); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line, msg = n, m[2]
		}
	}
	return &Fault{path, line, "invalid YAML: " + msg}
}

// textAt returns the text under keys that lead into each other, "" if there is none, and its line.
func textAt(path string, node *yaml.Node, keys ...string) (string, int, error) {
	for _, key := range keys {
		for node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		if node.Kind != yaml.MappingNode {
			return "", 0, &Fault{path, node.Line, fmt.Sprintf("%q is expected in an object", key)}
		}
		next := valueOf(node, key)
		if next == nil || next.Tag == "!!null" {
			return "", 0, nil
		}
		node = next
	}
	if node.Kind != yaml.ScalarNode || node.Tag != "!!str" {
		return "", 0, &Fault{path, node.Line, fmt.Sprintf("%q must be a string", keys[len(keys)-1])}
	}
	return node.Value, node.Line, nil
}

func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func patternAt(path string, root *yaml.Node, keys ...string) (Pattern, error) {
	text, line, err := textAt(path, root, keys...)
	if err != nil || text == "" {
		return Pattern{}, err
	}
	re, err := regexp.Compile(text)
	// JavaScript's patterns have look-around, which RE2 does not.
	if err != nil {
		return Pattern{}, &Fault{path, line, fmt.Sprintf("the pattern %q cannot be used: %s (patterns are those of RE2, without look-around)", clip(text), err)}
	}
	return Pattern{text, path, line, re}, nil
}
