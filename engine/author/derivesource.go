package author

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers/secret"
)

// derivedLimit is the maximum length of a derived value, in runes.
const derivedLimit = 200

// sourceValues are the values of the sources, which are the same for all specs.
type sourceValues struct {
	branch, name, mail string
	env                map[string]string // of the variables that the settings name
}

// readSources reads each source that the settings name, once, and returns warnings about
// those without a value that may be written into a file.
func readSources(ctx context.Context, p *engine.Project) (sourceValues, []string, error) {
	v := sourceValues{env: map[string]string{}}
	var warnings []string
	for _, key := range p.Config.Enterprise.Derived {
		switch key.From {
		case config.FromBranchName:
			head, err := p.Repo.Head(ctx, engine.Home(p))
			if err != nil {
				return v, nil, err
			}
			v.branch = head.Branch
		case config.FromGitUser:
			who, err := p.Repo.Identity(ctx)
			if errors.Is(err, gitops.ErrNoIdentity) {
				warnings = append(warnings, fmt.Sprintf("%s: git does not know who you are", key.Key))
				continue
			}
			if err != nil {
				return v, nil, err
			}
			v.name, v.mail = spec.SplitPerson(who)
		case config.FromEnv:
			value := engine.Variable(p, key.Variable)
			if secret.Suspect(value) {
				warnings = append(warnings, fmt.Sprintf("%s: the value of %s looks like a secret and is left out", key.Key, key.Variable))
				continue
			}
			v.env[key.Variable] = value
		case config.FromPath:
		}
	}
	return v, warnings, nil
}

// valueOf returns the value of a key for a spec from its source, "" for none.
func valueOf(k config.DerivedKey, id string, v sourceValues) string {
	var text string
	switch k.From {
	case config.FromBranchName:
		text = firstGroup(k, v.branch)
	case config.FromPath:
		text = firstGroup(k, store.SpecPath(id))
	case config.FromEnv:
		text = v.env[k.Variable]
	case config.FromGitUser:
		if text = v.name; k.Person == "email" {
			text = v.mail
		}
	}
	text = strings.TrimSpace(text)
	if len([]rune(text)) > derivedLimit || strings.ContainsFunc(text, unicode.IsControl) {
		return "" // such a value cannot be intended
	}
	return text
}

// firstGroup returns the pattern's first group, "" if the pattern does not match.
func firstGroup(k config.DerivedKey, text string) string {
	found := k.Pattern.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}
