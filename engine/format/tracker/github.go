package tracker

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec"
)

// readGitHub reads the list that `gh issue list --json ...` prints, or the one issue of `gh issue view --json ...`.
func (r *Result) readGitHub(f File) error {
	var all []record
	src := bytes.TrimSpace(bytes.TrimPrefix(f.Content, []byte("\ufeff")))
	if bytes.HasPrefix(src, []byte("{")) {
		all = []record{nil}
		if err := decode(f, src, &all[0]); err != nil {
			return err
		}
	} else if err := decode(f, f.Content, &all); err != nil {
		return err
	}
	for i, issue := range all {
		if err := r.addIssue(f, i, issue); err != nil {
			return err
		}
	}
	r.adoptSubIssues()
	return nil
}

// namedIssues finds lines such as "Depends on #12, #13" and "- Blocked by: #7".
var namedIssues = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^[ \t>*+-]*(?:\*\*|_)?(?:depends on|blocked by)(?:\*\*|_)?:?((?:[\s,&*]|and\b)*(?:#|[\w.-]+/[\w.-]+#)\d+)+`)
})

// issueName finds "#12" and "owner/name#12".
var issueName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\w.-]+/[\w.-]+)?#(\d+)`) })

func (r *Result) addIssue(f File, at int, g record) error {
	number := g.word("number")
	if _, err := strconv.Atoi(number); err != nil {
		return &FileError{Path: f.Path, Msg: fmt.Sprintf("issue %d of the list has no number; ask gh for it: --json number,title,body,state,url,labels", at+1)}
	}
	address := g.word("url")
	repo := repoOf(address)
	it := Item{ID: repo + "#" + number, Aliases: []string{"GH-" + number}, Title: g.word("title"), Reporter: g.word("author"), Labels: g.words("labels"), Type: g.word("issueType")}
	if address != "" {
		it.Links = []string{address}
	}
	it.Created, it.Updated, it.Closed = g.time("createdAt"), g.time("updatedAt"), g.time("closedAt")
	it.assign(g.words("assignees"))
	it.section("", g.word("body"))
	reason := g.word("stateReason")
	it.Status = spec.Pending
	var closed bool
	if g.take("closed", &closed); closed || strings.EqualFold(g.word("state"), "closed") {
		it.Status = spec.Completed
		// GitHub closes for other reasons than being done, too.
		if reason != "" && !strings.EqualFold(reason, "completed") {
			it.Status = spec.Cancelled
		}
	}
	delete(g, "state")
	if !slices.Contains([]string{"", "COMPLETED"}, strings.ToUpper(reason)) {
		it.keep("state reason", strings.ToLower(reason))
	}
	var milestone struct {
		Title string `json:"title"`
		Due   string `json:"dueOn"`
	}
	g.take("milestone", &milestone)
	it.keep("milestone", clean(milestone.Title))
	it.Due, _ = readTime(milestone.Due)
	for _, parent := range g.words("parent") {
		it.Parent = repo + "#" + parent
	}
	for _, on := range g.words("blockedBy") {
		it.DependsOn = append(it.DependsOn, repo+"#"+on)
	}
	for _, line := range namedIssues().FindAllString(it.Text, -1) {
		for _, m := range issueName().FindAllStringSubmatch(line, -1) {
			on := m[1] + "#" + m[2]
			if m[1] == "" {
				on = repo + on
			}
			if !slices.Contains(it.DependsOn, on) {
				it.DependsOn = append(it.DependsOn, on)
			}
		}
	}
	var comments []struct {
		Author struct {
			Login string `json:"login"`
		} `json:"author"`
		Body    string `json:"body"`
		Created string `json:"createdAt"`
	}
	g.take("comments", &comments)
	for _, c := range comments {
		it.comment(c.Author.Login, c.Created, c.Body)
	}
	if len(comments) > 0 {
		r.left("reactions to comments, and their addresses")
	}
	for _, below := range g.words("subIssues") {
		it.keep("sub-issue", repo+"#"+below)
	}
	// The other issue says the same as blockedBy.
	delete(g, "blocking")
	delete(g, "subIssuesSummary")
	g.rest(&it)
	r.Items = append(r.Items, it)
	return nil
}

// adoptSubIssues gives the issues that another one names as its parts this parent, if the list has them.
func (r *Result) adoptSubIssues() {
	for i := range r.Items {
		parent := &r.Items[i]
		parent.Rest = slices.DeleteFunc(parent.Rest, func(f Field) bool {
			at := slices.IndexFunc(r.Items, func(it Item) bool { return it.ID == f.Value })
			if f.Name != "sub-issue" || at < 0 {
				return false
			}
			r.Items[at].Parent = parent.ID
			return true
		})
	}
}

// repoOf returns "owner/name" of the address of an issue, "" without one.
func repoOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) != 4 || parts[2] != "issues" {
		return ""
	}
	return parts[0] + "/" + parts[1]
}
