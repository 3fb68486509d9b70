package overview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/archive"
	"chant/engine/store/message"
	"chant/gitops"
)

// This file reads who did what to which spec and when, from the commits of git: what their trailers record, and
// what people did to spec files by hand.
//
// It reads nothing: callers visit commits, newest first, and ask of each what it did.
//
// Rules:
//
//   - A commit with trailers is what its trailers say: an entry for each event. Anyone can write such trailers, so an entry
//     is a record, not a proof.
//   - A commit without trailers counts if it changed files of specs, as add, edit, delete or archive, or if an agent made it,
//     as commit, or gave it the subject "chant(<id>): …".
//   - Times are those of commits in UTC, which a rebase renews. Who is the author, and the agent that worked for the author.
//
// Decisions:
//
// 2026-11-26: entries come from a walk that ends when there are enough, not from the index of histories. Rejected: the
// index, because it keeps only commits that changed a spec, and a landing changes none.

// ActivityEntry is one thing that was done to a spec.
type ActivityEntry struct {
	At      time.Time `json:"at"`
	By      string    `json:"by"`   // the name of the author
	Mail    string    `json:"mail"` // of the author
	Spec    string    `json:"spec"`
	Title   string    `json:"title,omitempty"` // of the spec, if it is active
	Event   string    `json:"event"`
	Attempt int       `json:"attempt,omitempty"` // of a run
	Subject string    `json:"subject"`           // of the commit
	Commit  string    `json:"commit"`
	Agent   string    `json:"agent,omitempty"`   // that made the commit for the author
	Hand    bool      `json:"by_hand,omitempty"` // the commit was made by neither chant nor an agent
}

// The events of commits that were not made by chant.
const (
	AddActivity = "add"
	Edit        = "edit"
	Delete      = "delete"
	Archive     = "archive"
	Commit      = "commit" // of an agent
)

// attemptTrailer is the trailer with the number of the attempt.
const attemptTrailer = "Chant-Attempt"

// Who names who made the commit: its author, or the agent that worked for the author.
func (e ActivityEntry) Who() string { return message.Maker(e.By, e.Agent) }

// ByAgent says of the entries of a commit which agent has made it, "" for none.
func ByAgent(entries []ActivityEntry, agent string) []ActivityEntry {
	for i := range entries {
		if e := &entries[i]; agent != "" {
			e.Agent, e.Hand = agent, false
			// An agent edits specs as part of its work.
			if e.Event == Edit {
				e.Event = Commit
			}
		}
	}
	return entries
}

// NeedsFiles reports whether Of must know which files a commit changed.
func NeedsFiles(c gitops.Commit) bool { return len(message.Records(c)) == 0 }

// ActivityOf lists what a commit did to specs, in the order of its trailers or of the ids. folder is the folder of the project in
// the repository.
func ActivityOf(c gitops.Touch, folder string) []ActivityEntry {
	name, mail := author(c.Author)
	entry := ActivityEntry{At: c.When.UTC(), By: name, Mail: mail, Subject: c.Subject, Commit: c.Hash}
	var out []ActivityEntry
	for _, r := range slices.Compact(message.Records(c.Commit)) {
		if r.ID == "" || r.Event == "" {
			continue
		}
		entry.Spec, entry.Event = r.ID, r.Event
		// 0 without the trailer.
		entry.Attempt, _ = strconv.Atoi(c.Trailers[attemptTrailer])
		out = append(out, entry)
	}
	if len(out) > 0 {
		return out
	}
	entry.Hand = true
	for id, event := range byHand(c, folder) {
		entry.Spec, entry.Event = id, event
		out = append(out, entry)
	}
	slices.SortFunc(out, func(a, b ActivityEntry) int { return cmp.Compare(a.Spec, b.Spec) })
	// The subject is for commits that touch no spec, such as those of work.
	if id := message.SubjectOf(c.Message); len(out) == 0 && id != "" {
		entry.Spec, entry.Event = id, Commit
		out = append(out, entry)
	}
	return out
}

// byHand returns what a commit did to files of specs, by id.
func byHand(c gitops.Touch, folder string) map[string]string {
	type change struct{ had, has, archived bool }
	found := map[string]change{}
	for _, f := range c.Files {
		id, archived, ok := specOf(strings.TrimPrefix(f.Path, folder+"/"))
		if !ok {
			continue
		}
		now := found[id]
		now.had = now.had || f.Old != ""
		now.has = now.has || f.New != ""
		// A file that moved into the archive appears there as new.
		now.archived = now.archived || archived && f.New != "" && f.Old == ""
		found[id] = now
	}
	out := map[string]string{}
	for id, now := range found {
		switch {
		case now.had && now.has && now.archived:
			out[id] = Archive
		case now.had && now.has:
			out[id] = Edit
		case now.has:
			out[id] = AddActivity
		case now.had:
			out[id] = Delete
		}
	}
	return out
}

// specOf returns the id of the spec whose file has a path below the folder of the project.
func specOf(path string) (id string, archived, ok bool) {
	if name, found := strings.CutPrefix(path, "specs/"); found && !strings.Contains(name, "/") {
		id, ok = strings.CutSuffix(name, ".md")
		return id, false, ok && id != ""
	}
	id, ok = archive.Archived(path)
	return id, true, ok
}

// author divides "Name <mail>".
func author(text string) (name, mail string) {
	name, rest, _ := strings.Cut(text, "<")
	mail, _, _ = strings.Cut(rest, ">")
	return strings.TrimSpace(name), strings.TrimSpace(mail)
}

// ActivityFilter selects entries. The zero Filter selects all.
type ActivityFilter struct {
	Since, Until time.Time // both included; zero for no limit
	By           string    // a part of the name or mail of the author, in any case
	Specs        []string  // only these ids, and members of them
}

// Match reports whether an entry is selected.
func (f ActivityFilter) Match(e ActivityEntry) bool {
	switch {
	case !f.Since.IsZero() && e.At.Before(f.Since), !f.Until.IsZero() && e.At.After(f.Until):
		return false
	case f.By != "" && !contains(e.By, f.By) && !contains(e.Mail, f.By) && !contains(e.Agent, f.By):
		return false
	case len(f.Specs) > 0 && !slices.ContainsFunc(f.Specs, func(id string) bool { return e.Spec == id || strings.HasPrefix(e.Spec, id+".") }):
		return false
	}
	return true
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// ActivityCollector takes entries, newest first, and counts those that it does not keep.
type ActivityCollector struct {
	ActivityFilter
	Skip    int // entries before the first one that is kept
	Max     int // entries, 0 for all
	Entries []ActivityEntry
	Total   int // selected entries
}

// isFull reports whether no further entry is kept.
func (c *ActivityCollector) isFull() bool { return c.Max > 0 && len(c.Entries) == c.Max }

// Take adds the selected entries of a commit.
func (c *ActivityCollector) Take(entries []ActivityEntry) {
	for _, e := range entries {
		if !c.Match(e) {
			continue
		}
		if c.Total++; c.Total > c.Skip && !c.isFull() {
			c.Entries = append(c.Entries, e)
		}
	}
}
