package author

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// AllIDs lists the ids of specs that are active, archived or part of a plan, because a number is never given twice.
func AllIDs(ctx context.Context, p *engine.Project) ([]string, error) {
	active, err := p.Store.IDs(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := p.Store.ArchivedIDs()
	if err != nil {
		return nil, err
	}
	planned, err := plannedIDs(ctx, p)
	return slices.Concat(active, archived, planned), err
}

// plannedIDs lists the ids of the specs of plans that are not accepted.
func plannedIDs(ctx context.Context, p *engine.Project) ([]string, error) {
	branches, err := p.Repo.Refs(ctx, "refs/heads/"+p.Store.PlanBranch(""))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, b := range branches {
		// Whatever else a person commits on such a branch gives no numbers.
		src, err := p.Repo.ReadFile(ctx, b.Hash, store.PlansDir+"/"+path.Base(b.Name)+".md")
		if err != nil {
			continue
		}
		var plan struct {
			Specs []string `yaml:"specs"`
		}
		if doc, err := markdown.Parse(b.Name, src); err == nil && doc.Decode(&plan) == nil {
			out = append(out, plan.Specs...)
		}
	}
	return out, nil
}

// NewID returns an id that is not among ids.
func NewID(p *engine.Project, in AddInput, ids []string) (string, error) {
	if in.Group != "" {
		return spec.NextMember(in.Group, ids), nil
	}
	suffix, err := randomSuffix(p)
	if err != nil {
		return "", err
	}
	return spec.NewID(p.Now(), string(p.Config.Project.Prefix), suffix, ids).String(), nil
}

// randomSuffix returns three random digits of base 36.
func randomSuffix(p *engine.Project) (string, error) {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	var out strings.Builder
	for out.Len() < 3 {
		var b [1]byte
		if _, err := io.ReadFull(p.Rand, b[:]); err != nil {
			return "", err
		}
		// It is the largest multiple of 36, so that all digits are equally likely.
		if b[0] < 252 {
			out.WriteByte(digits[b[0]%36])
		}
	}
	return out.String(), nil
}
