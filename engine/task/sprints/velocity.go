package sprints

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/spec/sprint"
)

// VelocityInput selects sprints and what is counted.
type VelocityInput struct {
	Limit         *LenientLimit `json:"limit,omitempty" jsonschema:"Maximum number of sprints (default: 6)"`
	IncludeActive bool          `json:"include_active,omitempty" jsonschema:"Include active and overdue sprints"`
	Metric        string        `json:"metric,omitempty" jsonschema:"tasks, points or hours (default: points)"`
}

// LenientLimit is a limit of which anything but a positive number means the default.
type LenientLimit int

// UnmarshalJSON reads a number, which may be a text.
func (m *LenientLimit) UnmarshalJSON(raw []byte) error {
	n, err := strconv.Atoi(strings.Trim(string(raw), "\" "))
	// lotar takes the default instead of refusing what is no number.
	if err == nil {
		*m = LenientLimit(n)
	}
	return nil
}

// VelocityResult is what the last sprints completed.
type VelocityResult struct {
	Status string `json:"status"`
	sprint.Velocity
}

// Velocity says how much the last sprints completed. A limit below 1 is the default one. Errors: Usage for an unknown
// metric.
func Velocity(ctx context.Context, p *engine.Project, in VelocityInput) (VelocityResult, error) {
	metric, err := ParseMetric(in.Metric, sprint.Points)
	if err != nil {
		return VelocityResult{}, err
	}
	f, err := read(p)
	if err != nil {
		return VelocityResult{}, operationFault(err, internal)
	}
	r, err := readRoster(ctx, p, cachedSpecs(p))
	if err == nil {
		err = r.readArchived(p)
	}
	if err != nil {
		return VelocityResult{}, operationFault(err, internal)
	}
	var sprints []sprint.VelocityInput
	for _, s := range f.sprints {
		sprints = append(sprints, sprint.VelocityInput{Sprint: s, Members: r.members(s.ID)})
	}
	limit := 0
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	opts := sprint.VelocityOptions{Limit: limit, IncludeActive: in.IncludeActive, Metric: metric}
	return VelocityResult{ok, sprint.MeasureVelocity(sprints, opts, p.Now())}, nil
}

// ParseMetric reads what a report counts, "" for what is usual. Error: Usage.
func ParseMetric(text string, usual sprint.Metric) (sprint.Metric, error) {
	switch m := sprint.Metric(strings.ToLower(strings.TrimSpace(text))); m {
	case "":
		return usual, nil
	case sprint.Tasks, sprint.Points, sprint.Hours:
		return m, nil
	}
	err := refuseWith(map[string]any{"field": "metric", "provided": text, "suggestions": []sprint.Metric{sprint.Tasks, sprint.Points, sprint.Hours}},
		"Unsupported metric '%s'. Use tasks, points, or hours.", text)
	// Clients of lotar get its own text in the fault; people get ours.
	if e, ok := errors.AsType[*engine.Error](err); ok {
		e.Message = fmt.Sprintf("unsupported metric %q (use tasks, points or hours)", text)
	}
	return "", err
}
