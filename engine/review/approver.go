package review

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/gitops"
)

// findPerson returns the person who decides, as "Name <mail>". by is what was typed, "" for
// the person that git is configured for. Errors: Usage for a name that matches no person or
// several, State inside a run, where only an agent could be asking.
func findPerson(ctx context.Context, p *engine.Project, by string) (string, error) {
	if err := engine.MayInside(p, "approve", ""); err != nil {
		return "", err
	}
	self, err := p.Repo.Identity(ctx)
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
	return person != "" && slices.Contains([]string{person, name, mail}, strings.TrimSpace(text)) && mail != ""
}
