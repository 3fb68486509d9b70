package view

import (
	"encoding/json"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
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
		got := ids(foundRows(r))
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
		assert.Equal(t, c.total, r.Total, "%s", name)
		assert.Equal(t, len(r.Specs), r.Returned, "%s", name)
		assert.True(t, r.Specs != nil, "%s: %q of %d, %v, want %q of %d", name, got, r.Total, err, c.want, c.total)
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
		text := strings.Join(got, ", ")
		assert.NoError(t, err, "%q", query)
		assert.Equal(t, want, text, "%q", query)
		assert.Equal(t, len(r.Specs), r.Total, "%q", query)
	}
	r, err := Search(t.Context(), p, SearchInput{Query: "D_BY: ONE", Limit: 1})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Specs))
	assert.Equal(t, "Long words here, and then reauthenticate<d_by: one>.", marked(r.Specs[0].Excerpts[0]))
	for name, in := range map[string]SearchInput{"no query": {}, "only spaces": {Query: " \t "}, "an unknown status": {Query: "x", Status: ptr("gone")}} {
		_, err := Search(t.Context(), p, in)
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%s", name)
	}
}

// TestSearch_id finds by an id that spec first, before those that name it more often, which are only related; with details it
// says when they were created.
func TestSearch_id(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + n(1) + ".md": "---\nstatus: pending\n---\n# Authentication\n\n" + strings.Repeat("Many other words here. ", 50) + "\n",
		".chant/specs/" + n(2) + ".md": "---\nstatus: pending\n---\n# After " + n(1) + "\n\n" + n(1) + "\n",
	})
	r, err := Search(t.Context(), p, SearchInput{Query: n(1), Limit: 2, Details: true})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Specs))
	assert.Equal(t, n(1)+" exact", r.Specs[0].ID+" "+string(r.Specs[0].Match))
	assert.Equal(t, n(2)+" related", r.Specs[1].ID+" "+string(r.Specs[1].Match))
	assert.NotZero(t, r.Specs[0].Created)
	r, err = Search(t.Context(), p, SearchInput{Query: n(1), Limit: 1})
	assert.NoError(t, err)
	assert.Equal(t, n(1), r.Specs[0].ID)
}

// TestSearch_rows compares the rows with those of a list.
func TestSearch_rows(t *testing.T) {
	t.Parallel()
	p := board(t)
	all, err := List(t.Context(), p, ListInput{})
	assert.NoError(t, err)
	listed := map[string]string{}
	for _, row := range all.Specs {
		listed[row.ID] = rowText(t, row)
	}
	for _, row := range all.Specs {
		r, err := Search(t.Context(), p, SearchInput{Query: row.ID, Limit: 1})
		assert.NoError(t, err, "%s: %s", row.ID, listed[row.ID])
		assert.Equal(t, 1, len(r.Specs), "%s: %s", row.ID, listed[row.ID])
		assert.Equal(t, listed[r.Specs[0].ID], rowText(t, r.Specs[0].Row), "%s: %s", row.ID, listed[row.ID])
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
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Specs))
	assert.Equal(t, 2, len(r.Documents))
	assert.Equal(t, 1, r.Total)
	s := r.Specs[0]
	assert.Equal(t, 1, len(s.Excerpts))
	assert.Equal(t, 7, s.Excerpts[0].Line)
	assert.Equal(t, "An <upload> is <retried>.", marked(s.Excerpts[0]))
	assert.False(t, s.Score <= 0, "%+v", s)
	guide, own := r.Documents[0], r.Documents[1]
	assert.Equal(t, ".chant/prompts/own/retry.md", own.Path)
	assert.Equal(t, "prompt", own.Kind)
	assert.Equal(t, "My prompt", own.Title)
	assert.Equal(t, "<Retry> once.", marked(own.Excerpts[0]))
	assert.Equal(t, "docs/guide.md", guide.Path)
	assert.Equal(t, "documentation", guide.Kind)
	assert.Equal(t, 6, guide.Excerpts[0].Line)
	assert.Equal(t, "How a <retry> <retries>: �.", marked(guide.Excerpts[0]))
	r, err = Search(t.Context(), p, SearchInput{Query: "retry", Status: ptr("pending")})
	assert.NoError(t, err, "with a status")
	assert.Equal(t, 1, len(r.Specs), "with a status")
	assert.True(t, r.Documents == nil, "with a status: %+v, %v", r, err)
}

// rowText returns a row as text.
func rowText(t *testing.T, r Row) string {
	t.Helper()
	out, err := json.Marshal(r)
	assert.NoError(t, err)
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
