package sprints

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/taskboard"
)

// BacklogInput selects tasks that are in no sprint.
type BacklogInput struct {
	Page
	Project        string   `json:"project,omitempty" jsonschema:"Prefix or name of a project"`
	Status         []string `json:"status,omitempty" jsonschema:"Statuses (default: all that are not done)"`
	Tag            []string `json:"tag,omitempty" jsonschema:"Tags"`
	Assignee       string   `json:"assignee,omitempty" jsonschema:"Assignee, or @me"`
	CleanupMissing bool     `json:"cleanup_missing,omitempty" jsonschema:"First take all tasks out of sprints that do not exist"`
}

// BacklogResult is a page of the backlog, the first task first.
type BacklogResult struct {
	Status string `json:"status"`
	Paging
	Truncated      bool                 `json:"truncated"`
	Tasks          []sprint.BacklogTask `json:"tasks"`
	MissingSprints []int                `json:"missing_sprints"`
	Integrity      *sprint.Integrity    `json:"integrity,omitempty"`
	EnumHints      map[string][]string  `json:"enumHints,omitempty"`
}

// Backlog ranks the tasks that are in no sprint: first those with a custom field "rank", then by priority, due date,
// age and id. Errors: Usage for a wrong page or an unknown status.
func Backlog(ctx context.Context, p *engine.Project, in BacklogInput) (BacklogResult, error) {
	paging, err := in.check(20, 100)
	if err != nil {
		return BacklogResult{}, err
	}
	out := BacklogResult{Status: ok}
	list := func() error {
		f, err := read(p)
		if err != nil {
			return err
		}
		r, err := readRoster(ctx, p, cachedSpecs(p))
		if err != nil {
			return err
		}
		board, err := taskboard.Open(ctx, p, in.Project)
		if err != nil {
			return err
		}
		found, err := r.backlog(ctx, p, in, f, board.Settings)
		if err != nil {
			return err
		}
		integrity, kept := sprint.Check(r.sprints(), f.exists, in.CleanupMissing)
		if len(kept) > 0 {
			e := edit{subject: "take " + task.WithNoun(len(kept), "task") + " out of missing sprints", sprints: kept}
			if err := e.commit(ctx, p); err != nil {
				return err
			}
		}
		out.EnumHints = board.EnumHints(in.Project)
		out.Integrity, out.MissingSprints = integrity, integrity.Missing()
		out.Tasks = cut(found, &paging)
		out.Paging, out.Truncated = paging, paging.HasMore
		return nil
	}
	// Only a cleanup writes, so only it waits for others.
	if in.CleanupMissing {
		err = withSprintLock(ctx, p, "clean up sprints", list)
	} else {
		err = list()
	}
	if err != nil {
		return BacklogResult{}, operationFault(err, internal)
	}
	return out, nil
}

// backlog returns the ranked tasks that an input selects.
func (r *roster) backlog(ctx context.Context, p *engine.Project, in BacklogInput, f files, st *task.Settings) ([]sprint.BacklogTask, error) {
	if err := r.checkProject(in.Project, st); err != nil {
		return nil, err
	}
	filter := task.Filter{Statuses: slices.Clone(in.Status), Tags: in.Tag, Assignee: in.Assignee}
	if in.Project != "" {
		filter.Project = st.Project
	}
	filter, err := filter.Check(st)
	if err != nil {
		return nil, enumFault(err)
	}
	if task.NormalizeMember(in.Assignee) == task.Me {
		if filter.Assignee, err = callerName(ctx, p); err != nil {
			return nil, err
		}
		// Without a person, the filter would select the tasks of all.
		if filter.Assignee == "" {
			return nil, refuse("Cannot resolve @me: set default_reporter, or user.name of git")
		}
	}
	var found []sprint.BacklogTask
	for _, s := range r.specs {
		open := s.Status != spec.Completed && s.Status != spec.Cancelled
		if len(in.Status) == 0 && !open || slices.ContainsFunc(s.Fields.Sprints, f.exists) || !filter.Matches(s, st, func() string { return "" }) {
			continue
		}
		found = append(found, backlogTask(s, st))
	}
	sprint.Rank(found, st.Priorities)
	return found, nil
}

// checkProject refuses a project that neither the settings nor a task knows.
func (r *roster) checkProject(project string, st *task.Settings) error {
	if _, known := task.FindProject(st.Projects, project); known || project == "" || strings.EqualFold(project, st.DefaultProject) {
		return nil
	}
	var prefixes []string
	for _, one := range st.Projects {
		prefixes = append(prefixes, one.Prefix)
	}
	// Tasks may have been numbered for a project before it was in the settings.
	for _, s := range r.specs {
		prefix := st.ProjectOf(s)
		if strings.EqualFold(prefix, project) {
			return nil
		}
		if prefix != "" && !slices.Contains(prefixes, prefix) {
			prefixes = append(prefixes, prefix)
		}
	}
	slices.Sort(prefixes)
	return refuseWith(map[string]any{"field": "project", "provided": project, "suggestions": prefixes},
		"unknown project %q (one of %s)", project, strings.Join(prefixes, ", "))
}

func backlogTask(s *spec.Spec, st *task.Settings) sprint.BacklogTask {
	t := sprint.BacklogTask{
		ID: task.KeyOf(s), Title: s.Title, Status: st.WordOf(s.Status, string(s.Fields.TaskStatus)), Priority: st.PriorityOf(string(s.Fields.Priority)),
		Assignee: string(s.Fields.Assignee), DueDate: string(s.Fields.DueDate), Tags: s.Fields.Labels,
	}
	t.Created, _ = sprint.ParseTime(string(s.Fields.Created))
	// The id begins with the day of creation.
	if t.Created.IsZero() && len(s.ID) >= len("2006-01-02") {
		t.Created, _ = sprint.ParseTime(s.ID[:len("2006-01-02")])
	}
	if rank := s.Fields.CustomFields["rank"].Values; len(rank) == 1 {
		if n, err := strconv.Atoi(rank[0]); err == nil && n > 0 {
			t.Manual = n
		}
	}
	return t
}
