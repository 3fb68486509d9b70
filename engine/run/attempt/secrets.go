package attempt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine/evidence/keyfile"
	"chant/gitops"
	"chant/providers/secret"
)

// SecretsIn names the places where the commits between two have the value of a secret that logs do not show, by path and
// line, also if a later one of them removes it: what a commit has stays readable. What one of its parents has in the same
// file does not count.
func (a *Attempt) SecretsIn(ctx context.Context, from, to string) ([]string, error) {
	known := a.withKey()
	if !known.Any() {
		return nil, nil
	}
	commits, err := a.Repo.Log(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var out []string
	seen := map[string]bool{}
	// Each commit on its own: what a later one removes stays readable in the history.
	for _, c := range slices.Backward(commits) {
		for _, f := range known.Find(c.Message) {
			out = append(out, fmt.Sprintf("the message of commit %s has the value of %s in line %d, which logs do not show", Short(c.Hash), f.Name, f.Line))
		}
		if len(c.Parents) == 0 {
			continue
		}
		changes, err := a.ownChanges(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, ch := range changes {
			found, err := a.secretsOf(ctx, known, c, ch)
			if err != nil {
				return nil, err
			}
			for _, text := range found {
				if !seen[text] {
					out, seen[text] = append(out, text), true
				}
			}
		}
	}
	return out, nil
}

// ownChanges returns what a commit changes against its first parent, of a merge only what no parent has.
func (a *Attempt) ownChanges(ctx context.Context, c gitops.Commit) ([]gitops.Change, error) {
	out, err := a.Repo.Diff(ctx, c.Parents[0], c.Hash)
	if err != nil {
		return nil, err
	}
	for _, parent := range c.Parents[1:] {
		diff, err := a.Repo.Diff(ctx, parent, c.Hash)
		if err != nil {
			return nil, err
		}
		differs := map[string]bool{}
		for _, ch := range diff {
			differs[ch.Path] = true
		}
		out = slices.DeleteFunc(out, func(ch gitops.Change) bool { return !differs[ch.Path] })
	}
	return out, nil
}

// withKey returns the secrets that the run knows, with the text of the key that signs evidence on this machine. Only commits
// are searched for it: nothing in the sandbox reads it, and a person may have given it to an agent without one.
func (a *Attempt) withKey() *secret.Redactor {
	known := a.Secrets.Redactor
	own, err := keyfile.Load(a.Environ)
	if err != nil || own == nil {
		// What signs reports it.
		return known
	}
	for _, line := range own.Lines() {
		known = known.And("this machine's evidence key", line)
	}
	return known
}

// secretsOf names the secrets that a commit adds with one change.
func (a *Attempt) secretsOf(ctx context.Context, known *secret.Redactor, c gitops.Commit, ch gitops.Change) ([]string, error) {
	if ch.Status == 'D' || ch.Gitlink {
		return nil, nil
	}
	var out []string
	if ch.Status == 'A' {
		for _, f := range known.Find(ch.Path) {
			out = append(out, fmt.Sprintf("%s has the value of %s in its name, which logs do not show", known.Text(ch.Path), f.Name))
		}
	}
	text, err := a.readText(ctx, c.Hash, ch.Path)
	if err != nil {
		return nil, err
	}
	found := known.Find(text)
	// What any parent has in the same file came from there, as with a merge.
	for _, parent := range c.Parents {
		if len(found) == 0 {
			break
		}
		before, err := a.readText(ctx, parent, ch.Path)
		if err != nil {
			return nil, err
		}
		for _, had := range known.Find(before) {
			for i := range found {
				if found[i].Name == had.Name {
					found[i].Name = ""
				}
			}
		}
	}
	for _, f := range found {
		if f.Name != "" {
			out = append(out, fmt.Sprintf("%s:%d has the value of %s, which logs do not show", known.Text(ch.Path), f.Line, f.Name))
		}
	}
	return out, nil
}

// readText returns the text of a file, or where a link leads; "" if a commit does not have it.
func (a *Attempt) readText(ctx context.Context, rev, path string) (string, error) {
	entry, err := a.Repo.Entry(ctx, rev, path)
	if errors.Is(err, gitops.ErrNotFound) || err == nil && (entry.Dir || entry.Mode == "160000") {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := a.Repo.ReadBlob(ctx, entry.Hash)
	return string(text), err
}
