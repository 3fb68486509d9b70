package sprints

import (
	"context"
	"time"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/text"
)

// StartInput names the sprint to start, and when.
type StartInput struct {
	Pick
	At string `json:"at,omitempty" jsonschema:"When it was started (default: now)"`
}

// Start records that a sprint was started. Errors: Usage for a time that cannot be read, State for a sprint that was
// started before, NotFound.
func Start(ctx context.Context, p *engine.Project, in StartInput) (UpdateResult, error) {
	at, err := timeOr(in.At, p.Now())
	if err != nil {
		return UpdateResult{}, err
	}
	return changeSprint(ctx, p, in.Pick, "start", func(s *sprint.Sprint) (sprint.Change, error) {
		// A second start would move the burndown.
		if s.Actual.StartedAt != "" {
			return sprint.Change{}, engine.Fail(engine.State, next.Guide.On("sprints"), "sprint %s was already started", sprintName(s))
		}
		return sprint.Change{StartedAt: &at}, nil
	})
}

// Close records that a sprint was closed. One that was never started is started at the same time. Errors: as of Start.
func Close(ctx context.Context, p *engine.Project, in StartInput) (UpdateResult, error) {
	at, err := timeOr(in.At, p.Now())
	if err != nil {
		return UpdateResult{}, err
	}
	return changeSprint(ctx, p, in.Pick, "close", func(s *sprint.Sprint) (sprint.Change, error) {
		if s.Actual.ClosedAt != "" {
			return sprint.Change{}, engine.Fail(engine.State, next.Guide.On("sprints"), "sprint %s was already closed", sprintName(s))
		}
		c := sprint.Change{ClosedAt: &at}
		// Reports need a start where there is an end.
		if s.Actual.StartedAt == "" {
			c.StartedAt = &at
		}
		return c, nil
	})
}

// timeOr returns a time as it is stored; now if none is given.
func timeOr(given string, now time.Time) (string, error) {
	if given == "" {
		return now.UTC().Format(time.RFC3339), nil
	}
	// Clients of lotar write days of UTC, and times in more forms than people name.
	if at, ok := sprint.ParseTime(given); ok {
		return at.Format(time.RFC3339), nil
	}
	at, err := text.ParseTime(given, now)
	if err != nil {
		return "", refuse("%s", err)
	}
	return at.UTC().Format(time.RFC3339), nil
}
