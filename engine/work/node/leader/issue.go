package leader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/format/tracker"
	"chant/engine/spec/next"
	"chant/markdown"
	"chant/text"
)

// maxIssue limits the text of an issue, in bytes.
const maxIssue = 100_000

// Issue is an issue of a forge. A stranger may have written it, so no part of its text is a command, a setting or a remark
// of a person to chant; who shows it to an agent says that it is data.
type Issue struct {
	Title string
	Text  string // Markdown: the description, and each comment below a heading with its author
	URL   string
	Left  []string // what was changed or left out, in words
}

// ReadIssue reads an issue by its address, or by its number in the repository of the remote that a fleet uses, through gh or
// glab. Errors: Usage for another name; NotFound if the forge cannot be asked, or does not have the issue.
func ReadIssue(ctx context.Context, p *engine.Project, name string) (Issue, error) {
	m := issueName().FindStringSubmatch(strings.TrimSpace(name))
	if m == nil {
		return Issue{}, engine.Fail(engine.Usage, next.Guide.On("import"), "%q is not an issue (use a number, or an address such as https://github.com/OWNER/NAME/issues/12)", text.Clip(name, 200))
	}
	repo, number := m[1], m[2]
	if repo == "" {
		var err error
		if repo, err = p.Repo.Config(ctx, "remote."+p.Config.Fleet.Remote+".url"); err != nil {
			return Issue{}, err
		}
	}
	if _, err := parseAddress(repo); err != nil {
		return Issue{}, engine.Fail(engine.NotFound, next.ByHand("give the whole address of the issue"),
			"issue %s is in no known repository: %q of the remote %q is not one on GitHub or GitLab", number, withoutLogin(repo), p.Config.Fleet.Remote)
	}
	var issue Issue
	f, err := findForge(ctx, forgeCaller{Dir: engine.Home(p), Environ: p.Environ, Secrets: p.Secrets}, repo)
	if err == nil {
		issue, err = f.issue(ctx, number)
	}
	if known, ok := errors.AsType[*forgeError](err); ok {
		err = engine.Fail(engine.NotFound, known.Next, "%s", known.Message)
	}
	return issue, err
}

// issueName finds the address of a repository, if there is one, and the number in the name of an issue.
var issueName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(https?://[^/\s]+/\S+?)(?:/-)?/(?:issues|work_items)/|#?)([0-9]{1,18})/?(?:[?#]\S*)?$`)
})

func issueGitHub(at place, number string) []string {
	return []string{"issue", "view", number, "--repo", at.Host + "/" + at.Path, "--json", "title,body,comments,url,number"}
}

func issueGitLab(at place, number string) []string {
	return []string{"issue", "view", number, "--repo", "https://" + at.Host + "/" + at.Path, "--comments", "--output", "json"}
}

// issue reads an issue of the repository. Error: *forgeError.
func (f *forge) issue(ctx context.Context, number string) (Issue, error) {
	args := f.words.issue(f.Place, number)
	out, err := f.run(ctx, args...)
	if err != nil {
		return Issue{}, f.issueFailure(ctx, number, err)
	}
	issue, err := parseIssue([]byte(out))
	if err != nil {
		return issue, f.failure(args, err.Error())
	}
	if !isURL(issue.URL) {
		issue.URL = fmt.Sprintf("https://%s/%s/issues/%s", f.Place.Host, f.Place.Path, number)
	}
	return issue, nil
}

// issueFailure returns why an issue could not be read, with advice that depends on whether the program is logged in.
func (f *forge) issueFailure(ctx context.Context, number string, err error) error {
	_, login := f.run(ctx, "auth", "status", "--hostname", f.Place.Host)
	failed, ok := errors.AsType[*forgeError](err)
	if !ok || ctx.Err() != nil {
		return err
	}
	if login != nil {
		return &forgeError{fmt.Sprintf("%s is not logged in to %q", f.Program, f.Place.Host), next.Shell("%s auth login --hostname %s", f.Program, f.Place.Host)}
	}
	return &forgeError{failed.Message, next.ByHand(fmt.Sprintf("check that %s/%s has an issue %s and that you may read it", f.Place.Host, f.Place.Path, number))}
}

// parseIssue reads what gh or glab prints of an issue. Remarks that GitLab itself makes are left out.
func parseIssue(out []byte) (Issue, error) {
	var got struct {
		Title, Body, Description, URL string
		WebURL                        string `json:"web_url"`
		Comments, Notes               []struct {
			Author struct{ Login, Username string }
			Body   string
			System bool
		}
	}
	if err := decode(out, &got); err != nil {
		return Issue{}, err
	}
	i := Issue{Title: text.OneLine(text.Printable(got.Title)), URL: cmp.Or(got.WebURL, got.URL)}
	if i.Title == "" {
		return i, errors.New("its answer has no issue")
	}
	// The title keeps a block at the beginning from being read as front matter.
	const head = "# Issue\n\n"
	src := head + got.Body + got.Description
	for _, c := range append(got.Comments, got.Notes...) {
		if !c.System {
			src += fmt.Sprintf("\n\n## Comment by %s\n\n%s", text.OneLine(cmp.Or(c.Author.Login, c.Author.Username, "unknown")), c.Body)
		}
	}
	doc, err := markdown.Parse("", []byte(text.Printable(src)+"\n"))
	if err != nil {
		return i, err
	}
	doc, changed, err := tracker.WithoutMeaning(doc)
	if err != nil {
		return i, err
	}
	for _, c := range changed {
		i.Left = append(i.Left, c.Name+" "+c.Value)
	}
	i.Text = strings.TrimSpace(strings.TrimPrefix(string(doc.Bytes()), head))
	if len(i.Text) > maxIssue {
		i.Text = text.ClipBytes(i.Text, maxIssue)
		i.Left = append(i.Left, fmt.Sprintf("everything after its first %d kB", maxIssue/1000))
	}
	return i, nil
}
