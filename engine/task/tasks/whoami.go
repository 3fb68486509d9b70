package tasks

import (
	"context"

	"chant/engine"
	"chant/engine/task/taskboard"
)

// WhoamiInput asks who the caller is.
type WhoamiInput struct {
	Explain bool `json:"explain,omitempty" jsonschema:"Also say where the name comes from" schema:"default=false"`
}

// WhoamiResult is the person that @me means.
type WhoamiResult struct {
	Status  string              `json:"status"` // ok
	User    *string             `json:"user"`   // null if unknown
	Explain *taskboard.Identity `json:"explain,omitempty"`
}

// Whoami returns the person that @me means: the default reporter of the settings, else the name or mail that git commits
// with, else the user of the system.
func Whoami(ctx context.Context, p *engine.Project, in WhoamiInput) (WhoamiResult, error) {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return WhoamiResult{}, err
	}
	who, err := taskboard.WhoIs(ctx, p, board)
	if err != nil {
		return WhoamiResult{}, engine.Wrap(err, "")
	}
	result := WhoamiResult{Status: "ok"}
	if who.User == "" {
		return result, nil
	}
	result.User = &who.User
	if in.Explain {
		result.Explain = &who
	}
	return result, nil
}
