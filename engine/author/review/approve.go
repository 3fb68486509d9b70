package review

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/gitops"
	"chant/markdown"
)

// ApproveInput names the spec to approve and the person who approves.
type ApproveInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
	By string `json:"by,omitempty" jsonschema:"Who approves: name, mail, or both, of a person git knows here; you when omitted"`
}

// Approve records a person's approval of a spec's text or, once it is completed on its
// branch, of the work there. A later edit makes the approval outdated. It makes one
// commit. Errors: Usage for a person unknown to git here, Blocked for a person who may
// not approve by the project's rules, State inside a run and if there is nothing to
// decide, Conflict.
func Approve(ctx context.Context, p *engine.Project, in ApproveInput) (RulingResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return RulingResult{}, engine.Wrap(err, in.ID)
	}
	result, err := approve(ctx, p, id, in.By)
	if err == nil {
		result.Next = advice.After(ctx, p, id)
	}
	return engine.Done(result, err, id)
}

func approve(ctx context.Context, p *engine.Project, id, by string) (RulingResult, error) {
	by, err := findPerson(ctx, p, by)
	if err != nil {
		return RulingResult{}, err
	}
	return approveWith(ctx, p, id, by, nil)
}

// approveWith approves with comments.
func approveWith(ctx context.Context, p *engine.Project, id, by string, comments []task.Comment) (RulingResult, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return RulingResult{}, err
	}
	if why := s.CheckApprover(by); why != "" {
		return RulingResult{}, engine.Fail(engine.Blocked, next.Show.On(id), "%s; you are %s", why, by)
	}
	at := p.Now()
	v := ruling{
		by: by, word: attempt.ApproveWord,
		shape: func(doc *markdown.Document) (*markdown.Document, error) {
			return spec.Discuss(doc, spec.Remark{By: by, At: at, Ruling: "APPROVED"}), nil
		},
		decide: func(s *spec.File, work string) spec.Approval {
			return s.Approve(spec.Vote{By: by, At: formatTime(at)}, work)
		},
	}
	return writeRuling(ctx, p, id, v.withComments(comments))
}

// findPerson returns the person who decides, as "Name <mail>". by is what was typed, "" for
// the person that git is configured for. Errors: Usage for a name that matches no person or
// several, State inside a run, where only an agent could be asking.
func findPerson(ctx context.Context, p *engine.Project, by string) (string, error) {
	if err := engine.MayInside(p, "approve", ""); err != nil {
		return "", err
	}
	self, err := p.Repo.Identity(ctx)
	// Without an identity a person can still be named.
	if errors.Is(err, gitops.ErrNoIdentity) && by == "" {
		return "", engine.Fail(engine.Usage, next.Shell(`git config user.name "Your Name" && git config user.email you@example.com`), "git does not know who you are, so it is unknown who decides")
	}
	if err != nil && !errors.Is(err, gitops.ErrNoIdentity) {
		return "", err
	}
	if by == "" || matchesPerson(self, by) {
		return self, nil
	}
	people, err := p.Repo.People(ctx, p.Config.Defaults.BranchPrefix)
	if err != nil {
		return "", err
	}
	people = slices.DeleteFunc(people, func(p string) bool { return !matchesPerson(p, by) })
	switch len(people) {
	case 1:
		return people[0], nil
	case 0:
		who := "no one"
		if self != "" {
			who = "neither you (" + self + ") nor anybody"
		}
		return "", engine.Fail(engine.Usage, next.Shell("git shortlog -se --all"), "%q is %s who has written or committed in this repository", spec.Echo(by), who)
	}
	return "", engine.Fail(engine.Usage, next.Shell("git shortlog -se --all"), "%q is several people (%s): name a mail address", spec.Echo(by), strings.Join(people, ", "))
}

// matchesPerson reports whether a text names exactly this person: by name, by mail, or both.
func matchesPerson(person, text string) bool {
	name, mail := spec.SplitPerson(person)
	// Without a mail address two people can have the same name.
	return person != "" && slices.Contains([]string{person, name, mail}, strings.TrimSpace(text)) && mail != ""
}
