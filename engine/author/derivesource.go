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

// derivedLimit bounds a derived value, in runes.
const derivedLimit = 200

// sourceValues is what the sources have to give, for all specs alike.
type sourceValues struct {
	branch, name, mail string
	env                map[string]string // of the variables that the settings name
}

// sources asks each source that the settings name, once, and warns of what gives
// nothing that a file could hold.
func sources(ctx context.Context, p *engine.Project) (sourceValues, []string, error) {
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
				warnings = append(warnings, fmt.Sprintf("%s: what %s holds looks like a secret and is left out", key.Key, key.Variable))
				continue
			}
			v.env[key.Variable] = value
		case config.FromPath:
		}
	}
	return v, warnings, nil
}

// valueOf is what the key's source gives for a spec, "" for nothing.
func valueOf(k config.DerivedKey, id string, v sourceValues) string {
	var text string
	switch k.From {
	case config.FromBranchName:
		text = groupOf(k, v.branch)
	case config.FromPath:
		text = groupOf(k, store.SpecPath(id))
	case config.FromEnv:
		text = v.env[k.Variable]
	case config.FromGitUser:
		if text = v.name; k.Person == "email" {
			text = v.mail
		}
	}
	text = strings.TrimSpace(text)
	if len([]rune(text)) > derivedLimit || strings.ContainsFunc(text, unicode.IsControl) {
		return "" // no value that someone meant
	}
	return text
}

// groupOf is the pattern's first group, "" when the pattern does not match.
func groupOf(k config.DerivedKey, text string) string {
	found := k.Pattern.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}
