package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"chant/engine/spec"
	"chant/providers/secret"

	"go.yaml.in/yaml/v3"
)

// enterpriseConfig is the section `enterprise`: which front-matter keys every spec must have, and which keys chant
// derives.
type enterpriseConfig struct {
	Required spec.StringList `yaml:"required"`
	Derived  DerivedKeys     `yaml:"derived"`
}

// DerivedKeys are the keys that chant derives, in the order of the file.
type DerivedKeys []DerivedKey

// DerivedKey says where the value of a key comes from.
type DerivedKey struct {
	Key      string
	From     derivedFrom
	Pattern  *regexp.Regexp // of branch and path: its first group is the value
	Variable string         // of env: the variable with the value
	Person   string         // of git_user: name or email
	Values   []string       // nil = any value
}

// derivedFrom is a source of values.
type derivedFrom string

// The sources.
const (
	FromBranchName derivedFrom = "branch"   // of the branch checked out in home
	FromPath       derivedFrom = "path"     // of the spec's file
	FromEnv        derivedFrom = "env"      // a variable
	FromGitUser    derivedFrom = "git_user" // the identity of commits
)

// UnmarshalYAML implements yaml.Unmarshaler. Its error names everything that is wrong, with
// lines.
func (d *DerivedKeys) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: enterprise.derived must map keys to the sources of their values", node.Line)
	}
	var wrong []string
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i]
		if seen[name.Value] {
			wrong = append(wrong, fmt.Sprintf("line %d: enterprise.derived.%s appears twice", name.Line, name.Value))
			continue
		}
		seen[name.Value] = true
		key, faults := readDerived(name, node.Content[i+1])
		for _, err := range faults {
			wrong = append(wrong, fmt.Sprintf("line %d: enterprise.derived.%s: %s", name.Line, name.Value, err))
		}
		*d = append(*d, key)
	}
	if len(wrong) > 0 {
		// Each fault of this type is reported; any other error would end the decoding at the first.
		return &yaml.TypeError{Errors: wrong}
	}
	return nil
}

// derivedForm is the form of a derived key in the settings.
type derivedForm struct {
	From     derivedFrom `yaml:"from"`
	Pattern  string      `yaml:"pattern"`
	Validate *struct {
		Type   string          `yaml:"type"`
		Values spec.StringList `yaml:"values"`
	} `yaml:"validate"`
}

// readDerived reads one key and returns everything that is wrong with it.
func readDerived(name, node *yaml.Node) (key DerivedKey, wrong []error) {
	var in derivedForm
	if err := node.Decode(&in); err != nil {
		return key, []error{err}
	}
	key = DerivedKey{Key: name.Value, From: in.From}
	if !plainKey().MatchString(key.Key) {
		wrong = append(wrong, fmt.Errorf("%q cannot be derived: a key is a letter, then letters, digits, - and _", key.Key))
	} else if slices.Contains(spec.OwnKeys(), key.Key) {
		wrong = append(wrong, fmt.Errorf("%q cannot be derived: chant itself uses this key", key.Key))
	}
	if v := in.Validate; v != nil {
		if v.Type != "enum" || len(v.Values) == 0 {
			wrong = append(wrong, errors.New("validate must be {type: enum, values: […]}"))
		}
		key.Values = v.Values
	}
	if err := key.parsePattern(in.Pattern); err != nil {
		wrong = append(wrong, err)
	}
	return key, wrong
}

// plainKey matches the keys of front matter that can be derived.
var plainKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
})

// parsePattern reads the pattern, whose meaning depends on the source.
func (k *DerivedKey) parsePattern(pattern string) (err error) {
	switch k.From {
	case FromBranchName, FromPath:
		if k.Pattern, err = regexp.Compile(pattern); err == nil && k.Pattern.NumSubexp() < 1 {
			err = fmt.Errorf("pattern %q has no group, and the first one is the value", pattern)
		}
	case FromEnv:
		if k.Variable = pattern; !spec.VariableName(pattern) {
			err = fmt.Errorf("invalid environment variable name %q", pattern)
		} else if secret.SuspectName(pattern) {
			err = fmt.Errorf("variable %q looks like a secret, which no file may hold", pattern)
		}
	case FromGitUser:
		if k.Person = pattern; pattern != "name" && pattern != "email" {
			err = fmt.Errorf("pattern %q is neither name nor email", pattern)
		}
	default:
		err = fmt.Errorf("unknown source %q (one of branch, path, env, git_user)", k.From)
	}
	return err
}
