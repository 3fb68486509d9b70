package overview

import (
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"

	"chant/engine/store/message"
	"chant/gitops"
)

// ActivityInput selects what was done.
type ActivityInput struct {
	Since string   `json:"since,omitempty" jsonschema:"Only from this time on, such as 2026-11-26, yesterday or 2w"`
	Until string   `json:"until,omitempty" jsonschema:"Only up to this time; a day is included"`
	By    string   `json:"by,omitempty" jsonschema:"Only what this person or agent did: a part of the name or mail of the author"`
	Specs []string `json:"specs,omitempty" jsonschema:"Only what was done to these specs (full or partial IDs) and their members"`
	Limit int      `json:"limit,omitempty" jsonschema:"Maximum number of entries, 0 for all"`

	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
}

// ActivityResult is what was done, newest first.
type ActivityResult struct {
	Entries []ActivityEntry `json:"entries"`
	engine.Page
}

// Activity lists who did what to which spec and when: from the commits of your checkout's branch, of the target and of the
// branches of runs. Errors: Usage for an invalid time; NotFound.
func Activity(ctx context.Context, p *engine.Project, in ActivityInput) (ActivityResult, error) {
	result, err := listActivity(ctx, p, in)
	return result, engine.Wrap(err, "")
}

func listActivity(ctx context.Context, p *engine.Project, in ActivityInput) (ActivityResult, error) {
	start, err := in.Cursor.Start(next.Activity.Help())
	if err != nil {
		return ActivityResult{}, err
	}
	c := ActivityCollector{Skip: start, Max: in.Limit}
	if c.ActivityFilter, err = in.filter(ctx, p); err != nil {
		return ActivityResult{}, err
	}
	tips, err := tipsOf(ctx, p)
	if err != nil {
		return ActivityResult{}, err
	}
	visit := gitops.Visit{Tips: tips, Window: gitops.Window{Since: c.Since, Until: c.Until}, Folder: store.Dir, Files: NeedsFiles}
	agents := message.NewAgents(p.Repo)
	var unread error
	err = p.Repo.VisitCommits(ctx, visit, func(t gitops.Touch) bool {
		entries := ActivityOf(t, store.Dir)
		// Which agent made a commit costs a call of git, so only commits with entries ask; what is only counted needs it for
		// the filter by person alone.
		if len(entries) > 0 && unread == nil && (!c.isFull() || in.By != "") {
			var agent string
			if agent, unread = agents.Find(ctx, t.Commit); unread == nil {
				entries = ByAgent(entries, agent)
			}
		}
		c.Take(entries)
		return unread == nil
	})
	if err = errors.Join(err, unread); err != nil {
		return ActivityResult{}, err
	}
	if err := addTitles(ctx, p, c.Entries); err != nil {
		return ActivityResult{}, err
	}
	return ActivityResult{Entries: append([]ActivityEntry{}, c.Entries...), Page: engine.PageAt(start, len(c.Entries), c.Total)}, nil
}

func (in ActivityInput) filter(ctx context.Context, p *engine.Project) (f ActivityFilter, err error) {
	f.By = in.By
	if f.Since, err = engine.ReadTime(p, in.Since, next.Activity.Help()); err != nil {
		return f, err
	}
	if f.Until, err = engine.ReadEnd(p, in.Until, next.Activity.Help()); err != nil {
		return f, err
	}
	if !f.Since.IsZero() && !f.Until.IsZero() && f.Until.Before(f.Since) {
		return f, engine.Fail(engine.Usage, next.Activity.Help(), "no time lies from %s to %s", in.Since, in.Until)
	}
	for _, text := range in.Specs {
		id, err := anyID(ctx, p, text)
		if err != nil {
			return f, err
		}
		f.Specs = append(f.Specs, id)
	}
	return f, nil
}

// anyID resolves what a person typed to the id of a spec: an active one, an archived one, or the full id of one that was
// deleted.
func anyID(ctx context.Context, p *engine.Project, text string) (string, error) {
	id, err := engine.LookUp(ctx, p, text)
	if _, missing := errors.AsType[*spec.NotFoundError](err); !missing {
		return id, err
	}
	if archived, archivedErr := engine.FindArchived(p, text); archivedErr == nil {
		return archived, nil
	}
	// A deleted spec is only in the history, so its full id must do.
	if _, parseErr := spec.ParseID(text); parseErr == nil {
		return text, nil
	}
	return "", engine.Wrap(err, text)
}

// tipsOf lists the commits at which the history of specs ends: of home, the target and runs.
func tipsOf(ctx context.Context, p *engine.Project) ([]string, error) {
	var tips []string
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	// A repository without a commit has no history.
	if err != nil && !errors.Is(err, gitops.ErrUnborn) {
		return nil, err
	}
	if err == nil {
		tips = append(tips, head.Hash)
	}
	refs, err := p.Repo.Branches(ctx, p.Store.Branch(""))
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		tips = append(tips, ref.Hash)
	}
	// Without a target, nothing has landed elsewhere.
	if target, err := engine.Target(ctx, p); err == nil {
		tip, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return nil, err
		}
		tips = append(tips, tip)
	}
	slices.Sort(tips)
	return slices.DeleteFunc(slices.Compact(tips), func(tip string) bool { return tip == "" }), nil
}

// addTitles adds the titles of active specs.
func addTitles(ctx context.Context, p *engine.Project, entries []ActivityEntry) error {
	if len(entries) == 0 {
		return nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return err
	}
	titles := make(map[string]string, len(set.Specs))
	for _, s := range set.Specs {
		titles[s.ID] = s.Title
	}
	for i := range entries {
		entries[i].Title = titles[entries[i].Spec]
	}
	return nil
}
