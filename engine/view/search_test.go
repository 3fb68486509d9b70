package view

import (
	"encoding/json"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

func foundRows(r SearchResult) []Row {
	var rows []Row
	for _, s := range r.Specs {
		rows = append(rows, s.Row)
	}
	return rows
}

// TestSearch finds specs by their words, the best first, in archived and invalid ones too.
func TestSearch(t *testing.T) {
	t.Parallel()
	p := board(t)
	for name, c := range map[string]struct {
		in    SearchInput
		want  string
		total int
	}{
		"a word of titles":                   {SearchInput{Query: "parts"}, "010 010.1 010.2", 3},
		"the beginning of a word":            {SearchInput{Query: "unread"}, "009 017", 2},
		"a misspelt word":                    {SearchInput{Query: "unraedable"}, "009 017", 2},
		"a document without one word":        {SearchInput{Query: "dropped zebra"}, "006", 1},
		"an id":                              {SearchInput{Query: "2026-01-02-007-abc", Limit: 1}, "007", 19},
		"a label":                            {SearchInput{Query: "old"}, "011", 1},
		"in an archived one":                 {SearchInput{Query: "put away"}, "011 017", 2},
		"front matter other than labels":     {SearchInput{Query: "priority"}, "", 0},
		"stop words only":                    {SearchInput{Query: "of the"}, "", 0},
		"with a status":                      {SearchInput{Query: "part", Status: ptr("completed")}, "010.2", 1},
		"with a status, before the limit":    {SearchInput{Query: "part", Status: ptr("completed"), Limit: 1}, "010.2", 1},
		"with a computed status":             {SearchInput{Query: "part", Status: ptr("ready")}, "010.1", 1},
		"with a status of unreadable ones":   {SearchInput{Query: "unreadable", Status: ptr("invalid")}, "009 017", 2},
		"with a status of an archived one":   {SearchInput{Query: "away", Status: ptr("completed")}, "011", 1},
		"with a status an archived one lost": {SearchInput{Query: "away", Status: ptr("ready")}, "", 0},
		"bounded":                            {SearchInput{Query: "part", Limit: 2}, "010 010.1", 3},
	} {
		r, err := Search(t.Context(), p, c.in)
		if got := ids(foundRows(r)); err != nil || got != c.want || r.Total != c.total || r.Returned != len(r.Specs) || r.Specs == nil {
			t.Errorf("%s: %q of %d, %v, want %q of %d", name, got, r.Total, err, c.want, c.total)
		}
	}
}

// TestSearch_match has specs that contain the query in any case before those that have similar words, and marks both.
func TestSearch_match(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + n(1) + ".md":              "---\nstatus: pending\nlabels: [pending, net]\n---\n# Authentication\n\nAuthenticate. Authenticate. Of the many.\n",
		".chant/specs/" + n(2) + ".md":              "---\nstatus: pending\n---\n# Other\n\nLong words here, and then reauthenticated_by: one.\n",
		".chant/specs/" + n(3) + ".md":              "---\nstatus: pending\n---\n# A pending one\n",
		".chant/specs/" + n(4) + ".md":              "---\nstatus: pending\n---\n# Pend the ones\n",
		".chant/archive/2026-01-02/" + n(5) + ".md": "---\nstatus: completed\n---\n# Put away\n\nIt was an AUTHENTICATED user.\n",
		"docs/first.md":                             "# Pend some\n",
		"docs/two.md":                               "# Is pending\n",
	})
	for query, want := range map[string]string{
		"uthenticat":           "001 exact, 005 exact, 002 exact",
		"UTHENTICATED_BY: ":    "002 exact, 001 related, 005 related",
		"authenticated":        "005 exact, 002 exact, 001 related",
		"of the":               "001 exact",
		"pending one":          "003 exact, 004 related, 002 related, 001 related, docs/two.md related",
		"uathenticated the of": "",
		"authenticated usr":    "005 related",
		n(4):                   "004 exact, 005 related, 002 related, 003 related, 001 related",
	} {
		r, err := Search(t.Context(), p, SearchInput{Query: query})
		var got []string
		for _, s := range r.Specs {
			got = append(got, ids([]Row{s.Row})+" "+string(s.Match))
		}
		for _, d := range r.Documents {
			got = append(got, d.Path+" "+string(d.Match))
		}
		if text := strings.Join(got, ", "); err != nil || text != want || r.Total != len(r.Specs) {
			t.Errorf("%q: %s of %d, %v, want %s", query, text, r.Total, err, want)
		}
	}
	r, err := Search(t.Context(), p, SearchInput{Query: "D_BY: ONE", Limit: 1})
	if err != nil || len(r.Specs) != 1 || marked(r.Specs[0].Excerpts[0]) != "Long words here, and then reauthenticate<d_by: one>." {
		t.Errorf("%+v, %v", r.Specs, err)
	}
	for name, in := range map[string]SearchInput{"no query": {}, "only spaces": {Query: " \t "}, "an unknown status": {Query: "x", Status: ptr("gone")}} {
		if _, err := Search(t.Context(), p, in); enginetest.CodeOf(t, err) != engine.Usage {
			t.Errorf("%s: %v, want a usage error", name, err)
		}
	}
}

// TestSearch_rows compares the rows with those of a list.
func TestSearch_rows(t *testing.T) {
	t.Parallel()
	p := board(t)
	all, err := List(t.Context(), p, ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, row := range all.Specs {
		listed[row.ID] = rowText(t, row)
	}
	for _, row := range all.Specs {
		r, err := Search(t.Context(), p, SearchInput{Query: row.ID, Limit: 1})
		if err != nil || len(r.Specs) != 1 || rowText(t, r.Specs[0].Row) != listed[r.Specs[0].ID] {
			t.Errorf("%s: %+v, %v, want %s", row.ID, r.Specs, err, listed[row.ID])
		}
	}
}

// TestSearch_excerpts shows lines of specs, prompts and documentation with what was found in them.
func TestSearch_excerpts(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/2026-01-02-001-abc.md": "---\nstatus: pending\n---\n# Retry uploads\n\nNothing here.\nAn upload is retried.\n" + strings.Repeat("x ", 200) + "\n",
		".chant/prompts/own/retry.md":        "# My prompt\n\nRetry once.\n",
		"docs/guide.md":                      "---\ntitle: x\n---\n# The guide\n\nHow a retry retries: \xff.\n",
		"docs/retry.txt":                     "retry\n",
	})
	r, err := Search(t.Context(), p, SearchInput{Query: "retry upload", Limit: 5})
	if err != nil || len(r.Specs) != 1 || len(r.Documents) != 2 || r.Total != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	s := r.Specs[0]
	if len(s.Excerpts) != 1 || s.Excerpts[0].Line != 7 || marked(s.Excerpts[0]) != "An <upload> is <retried>." || s.Score <= 0 {
		t.Errorf("%+v", s)
	}
	guide, own := r.Documents[0], r.Documents[1]
	if own.Path != ".chant/prompts/own/retry.md" || own.Kind != "prompt" || own.Title != "My prompt" || marked(own.Excerpts[0]) != "<Retry> once." {
		t.Errorf("%+v", own)
	}
	if guide.Path != "docs/guide.md" || guide.Kind != "documentation" || guide.Excerpts[0].Line != 6 || marked(guide.Excerpts[0]) != "How a <retry> <retries>: �." {
		t.Errorf("%+v", guide)
	}
	if r, err = Search(t.Context(), p, SearchInput{Query: "retry", Status: ptr("pending")}); err != nil || len(r.Specs) != 1 || r.Documents != nil {
		t.Errorf("with a status: %+v, %v", r, err)
	}
}

// rowText returns a row as text.
func rowText(t *testing.T, r Row) string {
	t.Helper()
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func marked(e Excerpt) string {
	out, at := "", 0
	for _, m := range e.Marks {
		out += e.Text[at:m.From] + "<" + e.Text[m.From:m.To] + ">"
		at = m.To
	}
	return out + e.Text[at:]
}
