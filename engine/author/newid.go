package author

import (
	"context"
	"io"
	"strings"

	"chant/engine"
	"chant/engine/spec"
)

// AllIDs lists active and archived ids, because a number is never given twice.
func AllIDs(ctx context.Context, p *engine.Project) ([]string, error) {
	active, err := p.Store.IDs(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := p.Store.ArchivedIDs()
	return append(active, archived...), err
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
