package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/task/taskboard"
)

// ProjectsInput asks for a page of projects.
type ProjectsInput struct {
	Limit  int `json:"limit,omitempty" jsonschema:"Projects on a page" schema:"min=1,max=200,default=50"`
	Cursor int `json:"cursor,omitempty" jsonschema:"First project of the page, from 0" schema:"min=0,max=5000"`
}

// ProjectsResult is a page of projects.
type ProjectsResult struct {
	Status     string         `json:"status"` // ok
	Count      int            `json:"count"`
	Total      int            `json:"total"`
	Cursor     int            `json:"cursor"`
	Limit      int            `json:"limit"`
	HasMore    bool           `json:"hasMore"`
	NextCursor *int           `json:"nextCursor"`
	Projects   []task.Project `json:"projects"`
}

// maxCursor is the largest cursor of lists that are not tasks.
const maxCursor = 5000

// CheckCursor refuses a cursor that is out of range.
func CheckCursor(cursor int) error {
	switch {
	case cursor < 0:
		return task.Invalid("cursor must be a positive integer")
	case cursor > maxCursor:
		return task.Invalid("cursor must be <= 5000")
	}
	return nil
}

// Projects lists the projects of the workspace and those of the numbers of tasks, by their prefixes. Errors: Usage for a
// limit or cursor out of range.
func Projects(ctx context.Context, p *engine.Project, in ProjectsInput) (ProjectsResult, error) {
	limit, err := PageLimit(in.Limit, defaultLimit, maxLimit)
	if err == nil {
		err = CheckCursor(in.Cursor)
	}
	if err != nil {
		return ProjectsResult{}, asEngineError(err, "")
	}
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return ProjectsResult{}, err
	}
	set, err := p.Recall.Load(ctx, p.Store)
	if err != nil {
		return ProjectsResult{}, engine.Wrap(err, "")
	}
	all := board.Projects(set.Specs)
	page := pageOf(len(all), in.Cursor, limit)
	first := min(in.Cursor, len(all))
	return ProjectsResult{
		Status: "ok", Count: page.Count, Total: len(all), Cursor: in.Cursor, Limit: limit, HasMore: page.HasMore, NextCursor: page.NextCursor,
		Projects: all[first : first+page.Count],
	}, nil
}

// UnmarshalJSON reads numbers that may be texts; cursor is also called offset. Errors: *task.Fault.
func (in *ProjectsInput) UnmarshalJSON(raw []byte) error {
	var page ListInput
	if err := page.UnmarshalJSON(raw); err != nil {
		return err
	}
	in.Limit, in.Cursor = page.Limit, page.Cursor
	return nil
}

// ProjectStatsInput names a project.
type ProjectStatsInput struct {
	Name string `json:"name" jsonschema:"Prefix or name of the project"`
}

// ProjectStats counts the tasks of a project.
type ProjectStats struct {
	Name           string     `json:"name"`
	OpenCount      int        `json:"open_count"`
	DoneCount      int        `json:"done_count"`
	RecentModified *string    `json:"recent_modified"` // RFC 3339; null without a task
	TagsTop        []TagCount `json:"tags_top"`        // the ten most used
}

// TagCount is a tag and how many tasks have it.
type TagCount struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

// Stats counts the tasks of a project; a project without tasks has zeros. Errors: Usage without a name.
func Stats(ctx context.Context, p *engine.Project, in ProjectStatsInput) (ProjectStats, error) {
	name := strings.TrimSpace(in.Name)
	if name == "" {
		return ProjectStats{}, asEngineError(task.Invalid("Missing name"), "")
	}
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return ProjectStats{}, err
	}
	set, err := p.Recall.Load(ctx, p.Store)
	if err != nil {
		return ProjectStats{}, engine.Wrap(err, "")
	}
	prefix := name
	for _, known := range board.Projects(set.Specs) {
		if strings.EqualFold(known.Name, name) {
			prefix = known.Prefix
		}
	}
	result, tags := ProjectStats{Name: name, TagsTop: []TagCount{}}, map[string]int{}
	var members []*spec.Spec
	for _, s := range set.Specs {
		if !strings.EqualFold(board.Settings.ProjectOf(s), prefix) {
			continue
		}
		members = append(members, s)
		if s.Status == spec.Completed {
			result.DoneCount++
		} else {
			result.OpenCount++
		}
		for _, tag := range s.Fields.Labels {
			tags[tag]++
		}
	}
	for tag, n := range tags {
		result.TagsTop = append(result.TagsTop, TagCount{tag, n})
	}
	slices.SortFunc(result.TagsTop, func(a, b TagCount) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Tag, b.Tag)) })
	result.TagsTop = result.TagsTop[:min(10, len(result.TagsTop))]
	times, err := timesOf(ctx, p, members)
	var last time.Time
	for _, s := range members {
		if at := modifiedAt(s, times[s.ID]); at.After(last) {
			last = at
		}
	}
	if !last.IsZero() {
		text := last.UTC().Format(time.RFC3339)
		result.RecentModified = &text
	}
	return result, engine.Wrap(err, "")
}

// ConfigShowInput says whose settings to show.
type ConfigShowInput struct {
	Global  bool   `json:"global,omitempty" jsonschema:"Those of the workspace alone" schema:"default=false"`
	Project string `json:"project,omitempty" jsonschema:"Prefix"`
}

// ConfigShow returns the settings of tasks that apply to a project, or those of the workspace. Errors: Invalid.
func ConfigShow(ctx context.Context, p *engine.Project, in ConfigShowInput) (map[string]any, error) {
	board, err := taskboard.Open(ctx, p, in.Project)
	if err != nil {
		return nil, err
	}
	if _, err := board.NewPrefix(in.Project); err != nil {
		return nil, asEngineError(err, "")
	}
	shown, err := board.Workspace.Show(in.Project, in.Global, board.RepoName)
	if err != nil {
		err = &task.Fault{Code: task.ConfigShowFailed, Message: "Config error", Data: map[string]any{"message": err.Error()}}
	}
	return shown, asEngineError(err, "")
}

// ConfigSetInput is the settings to write. A value is written as text: true, 3, a,b.
type ConfigSetInput struct {
	Values  map[string]string `json:"values" jsonschema:"Keys and values; an empty value removes a setting of a project"`
	Global  bool              `json:"global,omitempty" jsonschema:"For the workspace" schema:"default=false"`
	Project string            `json:"project,omitempty" jsonschema:"Prefix; without it and global, the default project"`
}

// ConfigSetResult says what to know about the values that were set.
type ConfigSetResult struct {
	Warnings []string `json:"warnings,omitempty"`
	Info     []string `json:"info,omitempty"`
	Files    []string `json:"files"` // that were written, relative to the top of the checkout where they are below it
	Commit   string   `json:"commit,omitempty"`
}

// UnmarshalJSON reads values that need not be texts. Errors: *task.Fault.
func (in *ConfigSetInput) UnmarshalJSON(raw []byte) error {
	var read struct {
		Values  map[string]json.RawMessage `json:"values"`
		Global  *bool                      `json:"global"`
		Project *string                    `json:"project"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return task.Invalid("Invalid params: values must be an object")
	}
	in.Values = map[string]string{}
	for key, value := range read.Values {
		text, err := readText(key, value)
		if err != nil {
			// Lists and objects are read as JSON.
			text = string(value)
		}
		in.Values[key] = text
	}
	if read.Global != nil {
		in.Global = *read.Global
	}
	if read.Project != nil {
		in.Project = *read.Project
	}
	return nil
}
