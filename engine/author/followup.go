package author

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/format/hooks"
	"chant/engine/verify/prove"
	"chant/text"
)

// FollowUps adds a spec for each wrong version that the criteria of a spec do not notice, unless there is one, and names it in
// the result. Its criterion makes the code wrong in this way and runs the commands of the criteria: it holds once one of
// them fails.
func FollowUps(ctx context.Context, p *engine.Project, r prove.Result) (prove.Result, error) {
	known := map[string]string{}
	_, specs, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return r, engine.Wrap(err, r.ID)
	}
	for _, s := range specs {
		known[s.Title] = s.ID
	}
	r.Survivors = slices.Clone(r.Survivors)
	for i, s := range r.Survivors {
		title := followUpTitle(s)
		if s.Patch == "" {
			r.Notes = append(r.Notes, fmt.Sprintf("no spec for %s:%d: its change is binary, moves or removes a whole file, or is too long for a criterion", s.File, s.Line))
			continue
		}
		if id := known[title]; id != "" {
			r.Survivors[i].Spec = id
			continue
		}
		added, err := Add(ctx, p, AddInput{
			Description: fmt.Sprintf("%s\n\nThe criteria of spec %s pass although its work is wrong like this (%s):\n\n```diff\n%s```", title, r.ID, s.Kind, s.Diff),
			Criteria:    []string{"A test fails with this change `$ " + noticing(r.Commands, s.Patch) + "`"},
		})
		if err != nil {
			return r, err
		}
		known[title], r.Survivors[i].Spec = added.ID, added.ID
	}
	if r.Recorded == "" {
		return r, nil
	}
	// Now with the specs, so that who looks at the work later knows what was added for it.
	return r, r.Record(ctx, p)
}

// followUpTitle describes a wrong version by what it makes of its first line.
func followUpTitle(s criteria.Survivor) string {
	const most = 50 // characters of the line
	for line := range strings.Lines(s.Diff) {
		if added, ok := strings.CutPrefix(line, "+"); ok && strings.TrimSpace(added) != "" {
			return fmt.Sprintf("A test that fails when %s:%d is \"%s\"", s.File, s.Line, text.Clip(text.OneLine(added), most))
		}
	}
	return fmt.Sprintf("A test that fails without what begins at %s:%d", s.File, s.Line)
}

// noticing returns a command line for a POSIX shell that passes if the commands pass, and one of them fails after a patch. The
// patch is taken back, because a criterion must leave the tree as it is.
func noticing(commands []criteria.Step, patch string) string {
	var all []string
	for _, c := range commands {
		line := c.Line
		if c.Options.Dir != "" {
			line = "cd " + hooks.Quote(c.Options.Dir) + " && { " + line + "; }"
		}
		all = append(all, "("+line+")")
	}
	// Escapes that printf reads keep the patch on one line, without the mark of a code span. It begins with an empty line,
	// since printf would read "---" as an option.
	escaped := strings.NewReplacer(`\`, `\\`, "%", "%%", "\n", `\n`, "\t", `\t`, "\r", `\r`, "'", `\047`, "`", `\140`).Replace("\n" + patch)
	return fmt.Sprintf("p='%s'; c() { %s; }; c && printf \"$p\" | git apply && { ! c; r=$?; printf \"$p\" | git apply -R; exit $r; }", escaped, strings.Join(all, " && "))
}
