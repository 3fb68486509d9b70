package launch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/prompt"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers/cli"
	"chant/text"
)

// Briefing writes what an agent reads: the prompt with its values, the files of its context, failures of
// earlier attempts, conflicts between branch and target, and the schema of its output.
//
// Decisions:
//
// 2026-11-20: a conflict in a file without markers is open as long as the agent has touched neither the file nor its
// entry in the index. Rejected: regarding it as resolved, which lands one side only; and requiring a change of the
// file, so that it could never be kept as it is.

// Briefing writes what an agent reads: the prompt with its values, context and notes on earlier attempts.
type Briefing struct {
	*attempt.Attempt
	// Code returns pieces of the code in a folder that the work of a spec is about, "" if there are none; nil = none are
	// looked for.
	Code func(ctx context.Context, dir, about string) string
}

// Site is where an agent works, and whether on the spec or on conflicts.
type Site struct {
	Tree     string   // its worktree, which need not exist yet
	Resolves bool     // all that it does is to resolve the conflicts of a merge
	Clashes  []string // files in which branch and target conflict
}

// Prompt writes the agent's prompt to the run's cache.
func (b *Briefing) Prompt(ctx context.Context, at Site) error {
	s, err := b.OwnSpec(ctx)
	if err != nil {
		return err
	}
	text, err := b.Text(ctx, s, at)
	if err != nil {
		return err
	}
	// Written before answers count as received: after a kill in between, they are given once more.
	if _, err = b.Store.WriteCache(b.Job.ID, "prompt.md", []byte(text)); err != nil {
		return err
	}
	return b.receive(ctx)
}

// Text returns everything that the agent reads: the prompt, the rules of the project, the comments of reviews, the questions and answers about
// the spec, and the description of its output.
func (b *Briefing) Text(ctx context.Context, s *spec.File, at Site) (string, error) {
	text, err := b.Fill(ctx, s, at, b.Settings.Prompt, b.Settings.Given)
	if err != nil {
		return text, err
	}
	rules, err := b.quoteRules(s)
	text += rules
	// An agent that resolves a conflict has no other output.
	if err != nil || at.Resolves {
		return text, err
	}
	asked, err := b.questions()
	if err != nil {
		return text, err
	}
	form, err := b.form(ctx, s)
	return text + b.Secrets.Text(b.review(s)+asked) + form.ask(), err
}

// quoteRules is the part of every prompt about a spec with the rules for its work.
func (b *Briefing) quoteRules(s *spec.File) (string, error) {
	return b.Secrets.Text(prompt.QuoteRules(b.Settings.Verify.Rules.For(s.Fields.TargetFiles))), b.Settings.Unread
}

// Fill fills in the variables of a text. Values that are given count before those of the spec.
func (b *Briefing) Fill(ctx context.Context, s *spec.File, at Site, text string, given map[string]string) (string, error) {
	quoted, err := b.quoteContext(ctx, s, at.Tree)
	if err != nil {
		return "", err
	}
	values := b.Values(s, at)
	if strings.Contains(text, "spec.context") || strings.Contains(text, "spec_context") {
		quoted += b.quoteCode(ctx, s, at)
	}
	values["spec.context"] = quoted
	prompt.AddSpecNames(values)
	// Last, so that what is given counts before values of the spec.
	maps.Copy(values, given)
	return b.Secrets.Text(prompt.Fill(text, values)), nil
}

// Values returns the values of all variables that need no file, also by the names that commands use for them. The
// discussion of a spec is not part of its text: it is not approved, so it must not instruct an agent. The comments of
// its reviews are a part of the prompt of their own.
func (b *Briefing) Values(s *spec.File, at Site) map[string]string {
	title := s.Title
	if title == "" {
		title = "(untitled)"
	}
	// The discussion is not approved, so it must not instruct an agent.
	text := strings.TrimSpace(string(task.DropComments(s.Doc.DropSections(spec.DiscussionHeading)).Body()))
	text += spellSource(s.Adopted())
	files := Bullets(s.Fields.TargetFiles, "None.")
	values := map[string]string{
		"project.name":      b.Settings.Project,
		"spec":              fmt.Sprintf("Spec `%s`\n\n%s\n\nTarget files:\n\n%s", s.ID, text, files),
		"spec.id":           s.ID,
		"spec.title":        title,
		"spec.type":         string(s.Fields.Type),
		"spec.model":        b.Job.Model,
		"spec.description":  text,
		"spec.quoted":       spec.Fenced("", text),
		"spec.path":         b.SpecFile(at.Tree),
		"spec.target_files": files,
		"spec.criteria":     spellCriteria(s.Criteria()),
		"spec.checks":       spellChecks(criteria.PlanFor(s, s, b.Settings.Verify)),
		"spec.context":      "",
		"judge.criteria":    "",
		"conflict.files":    Bullets(at.Clashes, "None."),
		"target":            b.Job.Target,
		"worktree.path":     b.Folder(at.Tree),
		"worktree.branch":   b.Job.Branch,
		"worktree.isolated": strconv.FormatBool(at.Tree != b.Store.Home()),
		"attempt":           strconv.Itoa(b.Job.Attempt),
		"attempt.reason":    b.lastReason(),
		"attempt.note":      b.attemptNote(),
	}
	prompt.AddSpecNames(values)
	return values
}

// Bullets returns a Markdown list of items, or the text none if there are none.
func Bullets(items []string, none string) string {
	if len(items) == 0 {
		return none
	}
	return "- " + strings.Join(items, "\n- ")
}

func spellCriteria(all []spec.Criterion) string {
	if len(all) == 0 {
		return "The spec has no acceptance criteria."
	}
	var b strings.Builder
	for _, c := range all {
		how := "tick its box"
		switch {
		case c.Runs():
			how = "chant runs it"
		case c.Boxless:
			how = fmt.Sprintf("from %s; once it holds, check it as %s", c.File, cmp.Or(c.Key, c.ID))
		case c.File != "":
			how = "tick its box in " + c.File
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Number, c.Text, how)
	}
	return strings.TrimRight(b.String(), "\n")
}

// spellChecks lists the commands by which the spec is verified.
func spellChecks(plan criteria.Plan) string {
	var b strings.Builder
	n := 0
	for _, item := range plan.Items {
		for _, step := range item.Steps {
			n++
			fmt.Fprintf(&b, "%d. `%s`", n, step.Line)
			if step.Options.Dir != "" {
				fmt.Fprintf(&b, " in `%s`", step.Options.Dir)
			}
			must := ""
			if item.Red {
				must = "; it must fail now, by what it tests"
			}
			fmt.Fprintf(&b, " (%s%s)\n", checkOf(item), must)
		}
	}
	if n == 0 {
		return "Nothing: the boxes speak."
	}
	return strings.TrimRight(b.String(), "\n")
}

// checkOf names what asks for a check.
func checkOf(item criteria.Item) string {
	switch item.Source {
	case criteria.FromCriteria:
		return fmt.Sprintf("criterion %d", item.Number)
	case criteria.FromSpec:
		return "the spec's `verify`"
	case criteria.FromProject:
		if item.Rule != "" {
			return "a rule in `" + item.Rule + "`"
		}
	}
	return "the project's `verify`"
}

// maxLinks bounds how many links of a commit are followed one after the other.
const maxLinks = 8

// quoteContext quotes the files under the spec's context key, each after its path; a file that cannot be read is named
// as such. Error: *Failure for a file outside the repository, by its path or by a link.
func (b *Briefing) quoteContext(ctx context.Context, s *spec.File, tree string) (string, error) {
	var text strings.Builder
	for _, path := range s.Fields.Context {
		// An agent could name a file of the user in its spec, and the next attempt would send it to the model.
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return "", b.strayedContext(path, "leaves the repository")
		}
		if store.InHeldOut(path) {
			return "", b.strayedContext(path, "has held-out criteria, which agents do not see")
		}
		src, err := b.contextFile(ctx, tree, path)
		if _, refused := errors.AsType[*journal.Failure](err); refused || ctx.Err() != nil {
			return "", err
		}
		if err != nil {
			b.Announce(journal.Prompt, "warning", "context file %q cannot be read; the prompt says so", path)
			fmt.Fprintf(&text, "\n## Context: %s\n\n(cannot be read)\n", path)
			continue
		}
		fmt.Fprintf(&text, "\n## Context: %s\n\n%s\n", path, spec.Fenced("", string(src)))
	}
	return text.String(), nil
}

// quoteCode quotes code that has to do with the work, if the project wants that. It is looked for in the worktree or,
// before that exists, at home.
func (b *Briefing) quoteCode(ctx context.Context, s *spec.File, at Site) string {
	if b.Code == nil || at.Resolves {
		return ""
	}
	dir := at.Tree
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		dir = b.Store.Home()
	}
	text := task.DropComments(s.Doc.DropSections(spec.DiscussionHeading)).Body()
	return b.Code(ctx, dir, s.Title+"\n"+strings.TrimSpace(string(text)))
}

func (b *Briefing) strayedContext(path, how string) *journal.Failure {
	return &journal.Failure{Kind: spec.ReasonStrayed, Next: next.Edit.On(b.Job.ID), Message: fmt.Sprintf("context file %q %s", path, how)}
}

// contextFile reads a file as the agent will see it: from its worktree, or, before that exists, from the commit that it
// will have checked out.
func (b *Briefing) contextFile(ctx context.Context, tree, path string) ([]byte, error) {
	if b.Job.Silent && strings.HasPrefix(filepath.ToSlash(path), store.Dir+"/") {
		// Git does not have the file.
		tree = b.Store.Home()
	}
	if _, err := os.Lstat(tree); errors.Is(err, fs.ErrNotExist) {
		return b.committedContext(ctx, path)
	}
	// A link in the worktree may be the agent's, and leads out only by what it resolves to.
	full := filepath.ToSlash(path)
	if tree != b.Store.Home() {
		full = b.Repo.FromTop(full)
	}
	within, err := disk.RealBelow(tree, full)
	if errors.Is(err, disk.ErrOutside) {
		return nil, b.strayedContext(path, "is a link that leads out of the repository")
	}
	if err != nil {
		return nil, err
	}
	if within = filepath.ToSlash(within); tree != b.Store.Home() {
		within = b.Repo.FromFolder(within)
	}
	return b.Store.ReadTree(disk.RealPath(tree), within)
}

// committedContext reads a file of the branch, or of the commit from which the branch will start.
func (b *Briefing) committedContext(ctx context.Context, name string) ([]byte, error) {
	commit, err := b.Repo.Resolve(ctx, "refs/heads/"+b.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		commit, err = b.Job.Base, nil
	}
	if err != nil {
		return nil, err
	}
	at := path.Clean(name)
	// Links in a commit can form a circle.
	for range maxLinks {
		link, err := b.Repo.ReadLink(ctx, commit, at)
		if err != nil {
			return b.Repo.ReadFile(ctx, commit, at)
		}
		at = path.Join(path.Dir(at), link)
		if path.IsAbs(link) || !filepath.IsLocal(filepath.FromSlash(at)) {
			return nil, b.strayedContext(name, "is a link that leads out of the repository")
		}
	}
	return nil, fmt.Errorf("context file %q leads from link to link", name)
}

// spellSource describes the folder that a spec adopts: its files, and how its criteria are ticked.
func spellSource(a *spec.Adopted) string {
	if a == nil {
		return ""
	}
	text := fmt.Sprintf("\n\nWhat to do is described in the folder `%s`. Read all of its files before you begin:\n\n", a.Dir)
	for _, file := range a.Files {
		text += fmt.Sprintf("- `%s`\n", file)
	}
	return text + `
Tick the box of a task in its file as soon as the task is done, and change nothing else in that line. A criterion that has
no box there is checked by the tool chant_criterion_check with the name given in the list of what has to hold, or by adding
that name to the list ` + "`met`" + ` in the front matter of the spec. Do not move the folder, and do not archive it: that is
done when the work lands.`
}

// Bounds of what the prompt says about the attempt before.
const (
	maxFailures = 3    // failing commands whose output is quoted
	maxTail     = 2000 // bytes of the end of each output
)

// lastReason returns why the last attempt failed, "" if it did not fail.
func (b *Briefing) lastReason() string {
	last := b.Journal.History().Last()
	switch {
	case last == nil || last.Gone:
		return ""
	case last.Reason != "":
		return last.Reason
	case !last.Closed:
		return "it was interrupted"
	}
	return ""
}

// attemptNote describes the result of the last attempt for the next one, as an entry of a list.
func (b *Briefing) attemptNote() string {
	reason := b.lastReason()
	if reason == "" {
		return ""
	}
	last := b.Journal.History().Last()
	switch {
	case last.Reason == "":
		return "- The last attempt was interrupted. What it left is committed on this branch.\n"
	case last.Code == spec.ReasonStopped:
		return "- The last attempt was stopped by a person. What it left is committed on this branch.\n"
	}
	return fmt.Sprintf("- The last attempt failed: %s. What it committed is on this branch.\n", reason) + spellFailures(last.Report.Criteria)
}

// spellFailures quotes the end of the output of failing commands. It is quoted so that nothing in it reads as part of
// the prompt.
func spellFailures(verdicts []criteria.Verdict) string {
	var b strings.Builder
	noted := 0
	for _, v := range verdicts {
		for _, e := range v.Evidence {
			// A command that failed once and then held is not what the next attempt has to mend.
			if v.Holds || e.ExitCode == 0 && !e.TimedOut || noted == maxFailures {
				continue
			}
			noted++
			fmt.Fprintf(&b, "  - `%s` %s", e.Command, describeEnd(e))
			tail := lastBytes(e.Tail, maxTail)
			if strings.TrimSpace(tail) == "" {
				b.WriteString(" and printed nothing.\n")
				continue
			}
			b.WriteString(" and printed last:\n\n")
			// Indented as part of the list, and fenced so that nothing in it reads as an instruction.
			for line := range strings.Lines(spec.Fenced("", tail) + "\n") {
				b.WriteString("    " + line)
			}
		}
	}
	return b.String()
}

// describeEnd describes how a command ended.
func describeEnd(e criteria.Evidence) string {
	if e.TimedOut {
		return "ran out of time"
	}
	return fmt.Sprintf("ended with exit %d", e.ExitCode)
}

// lastBytes returns the end of a text; if it is cut, it begins with a whole line.
func lastBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return rest
	}
	return strings.ToValidUTF8(text, "")
}

// Bounds of what the prompt says about questions.
const (
	maxQuestions = 10       // the newest ones
	maxQuestion  = 1000     // bytes of a question, and of an answer that an agent has received before
	maxAnswers   = 64 << 10 // bytes of answers that none has received
)

// questions describes what agents have asked about the spec and what people have answered, "" if nothing was asked.
// Answers that no agent has received come in full.
func (b *Briefing) questions() (string, error) {
	if b.Store == nil || b.Job.ID == "" {
		return "", nil
	}
	all, err := question.OpenBox(b.Store.Files, b.Now).List(question.OfSpec(b.Job.ID))
	if err != nil {
		return "", err
	}
	return spellQuestions(all), nil
}

// receive records that the agent gets the answers with its prompt. A script is not sent one: it receives an answer when it
// asks the same again.
func (b *Briefing) receive(ctx context.Context) error {
	// A script gets an answer when it asks the same again.
	if b.Job.Provider == cli.ShellName {
		return nil
	}
	_, err := question.OpenBox(b.Store.Files, b.Now).Receive(ctx, question.OfSpec(b.Job.ID))
	return err
}

func spellQuestions(all []question.Question) string {
	var entries []string
	room := maxAnswers
	for i, q := range all {
		late := i < len(all)-maxQuestions
		if q.State == question.Withdrawn || late && !q.Waits() {
			continue
		}
		entry := "Question " + fmt.Sprint(q.Number) + ":\n\n" + spec.Fenced("", text.ClipBytes(q.Prompt, maxQuestion))
		switch {
		case q.State == question.Open:
			entry += "\n\nIt has no answer yet."
		case q.Waits():
			answer := text.ClipBytes(q.Answer, max(maxQuestion, room))
			room -= len(answer)
			entry += "\n\nThe answer of a person:\n\n" + spec.Fenced("", answer)
		default:
			entry += "\n\nThe answer of a person:\n\n" + spec.Fenced("", text.ClipBytes(q.Answer, maxQuestion))
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return ""
	}
	return "\n## Questions that were asked about this spec\n\n" + strings.Join(entries, "\n\n") + "\n"
}

// conflictState is what a worktree holds where branch and target conflict.
type conflictState struct {
	state  string // equal as long as nothing was changed; "" for a missing file
	marked bool   // it contains both sides
}

// ReadConflicts reads the conflicts as they are in the worktree.
func (b *Briefing) ReadConflicts(at Site) (map[string]conflictState, error) {
	out := map[string]conflictState{}
	err := rootdir.In(at.Tree, func(root *os.Root) error {
		for _, path := range at.Clashes {
			seen, err := readConflict(root, b.Repo.FromTop(path))
			if err != nil {
				return fmt.Errorf("look at the conflict in %q: %w", path, err)
			}
			out[path] = seen
		}
		return nil
	})
	return out, err
}

// maxConflictSize limits the file of a conflict, in bytes.
const maxConflictSize = 1 << 30

// readConflict reads one place. A folder is a submodule, about which only git knows.
func readConflict(root *os.Root, path string) (conflictState, error) {
	info, err := root.Lstat(filepath.FromSlash(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return conflictState{}, nil
	case err != nil:
		return conflictState{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := root.Readlink(filepath.FromSlash(path))
		return conflictState{state: "link to " + to}, err
	case info.IsDir():
		return conflictState{state: "folder"}, nil
	case !info.Mode().IsRegular():
		return conflictState{}, fmt.Errorf("%q is not a regular file", path)
	}
	src, err := rootdir.Read(root, path, maxConflictSize)
	if err != nil {
		return conflictState{}, err
	}
	return conflictState{fmt.Sprintf("file %x", sha256.Sum256(src)), hasBothSides(src)}, nil
}

// FindUnresolved lists the open conflicts: those that still contain both sides, and those that were not touched since
// before, neither the file nor its entry in git's index. A binary file, a submodule, or a file that one side has
// deleted never contains both sides.
func (b *Briefing) FindUnresolved(ctx context.Context, at Site, before map[string]conflictState) ([]string, error) {
	now, err := b.ReadConflicts(at)
	if err != nil {
		return nil, err
	}
	unmerged, _, err := b.Repo.Unmerged(ctx, at.Tree)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, path := range at.Clashes {
		// A binary file never has markers, so only touching it, or its entry in the index, resolves it.
		untouched := now[path].state == before[path].state && slices.Contains(unmerged, path)
		if now[path].marked || untouched {
			open = append(open, path)
		}
	}
	return open, nil
}

// hasBothSides reports whether a text contains both sides of a conflict.
func hasBothSides(src []byte) bool {
	begun := false
	for line := range bytes.Lines(src) {
		// Both markers in this order: a text about merges may quote one of them.
		begun = begun || bytes.HasPrefix(line, []byte("<<<<<<< "))
		if begun && bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return true
		}
	}
	return false
}

// Bounds of what the prompt says about reviews.
const (
	maxComments = 40      // the newest ones
	maxComment  = 4 << 10 // bytes of a comment
)

// review quotes what people have commented on the spec and the work on it, "" without comments. A comment that was made
// while an agent worked is only in home's copy.
func (b *Briefing) review(s *spec.File) string {
	all := task.Comments(s.Doc)
	if b.Store != nil && !b.Job.Silent {
		// Otherwise the spec is only on its branch.
		if home, err := b.Store.ReadHome(s.ID); err == nil {
			all = task.Union(all, task.Comments(home.Doc))
		}
	}
	return spellReview(all, b.lastOpened())
}

// lastOpened returns when the attempt before this one began, the zero time without one.
func (b *Briefing) lastOpened() time.Time {
	for _, a := range slices.Backward(b.Journal.History().Attempts) {
		if !a.Gone && a.Number != b.Job.Attempt {
			return a.Opened
		}
	}
	return time.Time{}
}

// spellReview is the part of the prompt about reviews. Comments from before the last attempt began were in the prompt
// of that attempt.
func spellReview(all []task.Comment, last time.Time) string {
	if len(all) == 0 {
		return ""
	}
	var earlier, later []string
	for _, c := range all[max(0, len(all)-maxComments):] {
		entry := commentHead(c) + "\n\n" + spec.Fenced("", text.ClipBytes(c.Text, maxComment))
		// Comments have minutes only, so one of the same minute counts as later.
		if !c.At.IsZero() && c.At.Before(last.Truncate(time.Minute)) {
			earlier = append(earlier, entry)
		} else {
			later = append(later, entry)
		}
	}
	out := "\n## Comments of people who have reviewed this spec and the work on it\n"
	if len(later) > 0 {
		out += "\nDo what each of these asks for, as far as the acceptance criteria allow it:\n\n" + strings.Join(later, "\n\n") + "\n"
	}
	if len(earlier) > 0 {
		out += "\nAn earlier attempt was given these, and what they ask for still has to be so at the end:\n\n" + strings.Join(earlier, "\n\n") + "\n"
	}
	return out
}

// commentHead names the author and the place of a comment.
func commentHead(c task.Comment) string {
	out := "A person"
	if c.By != "" {
		out = text.Quote(c.By)
	}
	if c.File != "" {
		out += fmt.Sprintf(", about `%s`", c.Place())
	}
	return out + ":"
}
