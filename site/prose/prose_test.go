package prose

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func resolve(target string) (string, bool) {
	return "/spec/" + target, strings.HasSuffix(target, ".md")
}

func TestHTML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"title is left out":     {"# T\n\ntext", "<p>text</p>\n"},
		"levels leave none out": {"# T\n\n# A\n\n#### B\n\n## C\n", "<h2 id=\"md-a\">A</h2>\n<h3 id=\"md-b\">B</h3>\n<h3 id=\"md-c\">C</h3>\n"},
		"the same heading":      {"## A b\n## A b\n", "<h2 id=\"md-a-b\">A b</h2>\n<h2 id=\"md-a-b-1\">A b</h2>\n"},
		"HTML block":            {"<script>alert(1)</script>\n", "<pre class=\"raw\"><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>\n"},
		"HTML comment":          {"<!-- approve\nme -->\n", "<pre class=\"raw\"><code>&lt;!-- approve\nme --&gt;\n</code></pre>\n"},
		"HTML in a line":        {"a <b onclick=x>b</b>", "<p>a <code class=\"raw\">&lt;b onclick=x&gt;</code>b<code class=\"raw\">&lt;/b&gt;</code></p>\n"},
		"link":                  {"[a](https://example.com/?a=1&b=\"2\")", `<p><a href="https://example.com/?a=1&amp;b=%222%22" rel="noreferrer nofollow">a</a></p>` + "\n"},
		"dangerous link":        {"[a](javascript:alert(1))", "<p>a <code>javascript:alert(1)</code></p>\n"},
		"in capitals":           {"[a](JavaScript:alert(1))", "<p>a <code>JavaScript:alert(1)</code></p>\n"},
		"by an entity":          {"[a](javascript&colon;alert(1))", "<p>a <code>javascript:alert(1)</code></p>\n"},
		"data":                  {"[a](data:text/html,x)", "<p>a <code>data:text/html,x</code></p>\n"},
		"without a scheme":      {"[a](//evil.example/x)", "<p>a <code>//evil.example/x</code></p>\n"},
		"automatic":             {"<https://example.com>", `<p><a href="https://example.com" rel="noreferrer nofollow">https://example.com</a></p>` + "\n"},
		"automatic, dangerous":  {"<javascript:alert(1)>", "<p>javascript:alert(1)</p>\n"},
		"mail":                  {"<a@example.com>", `<p><a href="mailto:a@example.com">a@example.com</a></p>` + "\n"},
		"to a heading":          {"## Über uns\n[a](#über-uns) [b](#gone)", "<h2 id=\"md-über-uns\">Über uns</h2>\n<p><a href=\"#md-%C3%BCber-uns\">a</a> b <code>#gone</code></p>\n"},
		"resolved":              {"[a](x.md)", "<p><a href=\"/spec/x.md\">a</a></p>\n"},
		"not resolved":          {"[a](x.go)", "<p>a <code>x.go</code></p>\n"},
		"image":                 {"![a](https://example.com/a.png)", `<p><a href="https://example.com/a.png" rel="noreferrer nofollow">a</a></p>` + "\n"},
		"boxes": {"- [x] a\n- [ ] b\n- [y] c", "<ul>\n<li><span class=\"box\" role=\"img\" aria-label=\"done\">☑</span> a</li>\n" +
			"<li><span class=\"box\" role=\"img\" aria-label=\"open\">☐</span> b</li>\n<li>[y] c</li>\n</ul>\n"},
		"code": {"```go\nreturn\n```", "<pre class=\"code\"><code><span class=\"k\">return</span>\n</code></pre>\n"},
		"table": {"| a | b\\|c |\n|---|--:|\n| `x` |\n", "<table>\n<thead>\n<tr>\n<th scope=\"col\">a</th>\n<th scope=\"col\" class=\"align-right\">b|c</th>\n</tr>\n</thead>\n<tbody>\n" +
			"<tr>\n<td><code>x</code></td>\n<td class=\"align-right\"></td>\n</tr>\n</tbody>\n</table>\n"},
		"no table":  {"a | b\n---|", "<p>a | b\n---|</p>\n"},
		"not UTF-8": {"a\xffb", "<p>a\uFFFDb</p>\n"},
	} {
		assert.Equal(t, c.want, HTML(c.src, Options{Top: 2, NoTitle: true, Resolve: resolve}), "%s", name)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"It *is* `x`":         "It <em>is</em> <code>x</code>",
		"# 1 <b>":             "# 1 <code class=\"raw\">&lt;b&gt;</code>",
		"- [ ] a":             "- [ ] a",
		"[a](vbscript:x)":     "a <code>vbscript:x</code>",
		"":                    "",
		"[a][b]\n\n[b]: /x.y": "[a][b]</p>\n<p>[b]: /x.y",
	} {
		assert.Equal(t, want, Line(src, Options{}), "%q", src)
	}
}

// TestHTML_deep: text with many containers in each other ends neither the program nor takes long.
func TestHTML_deep(t *testing.T) {
	t.Parallel()
	for _, src := range []string{strings.Repeat(">", 1_000_000), strings.Repeat("- ", 100_000) + "a", strings.Repeat("[", 10_000)} {
		assert.NotEqual(t, "", HTML(src, Options{Top: 2}), "nothing was rendered")
	}
}

// unsafe matches markup that no text may lead to.
var unsafe = regexp.MustCompile(`(?i)<(script|iframe|img|object|embed|style|form|input|svg|base|meta|link)\b|<[^>]*\son\w+=|href="\s*(javascript|data|vbscript|file):`)

// FuzzHTML: no text becomes markup that runs or loads something.
func FuzzHTML(f *testing.F) {
	for _, src := range []string{
		"# a\n\n<img src=x onerror=alert(1)>", "[a](java\nscript:x)", "![a](x \"onload=\")", "| a |\n|---|\n| <b> |", "<a href='javascript:x'>",
		"[a]: javascript:x\n\n[a]", "```<b>\n</code><script>\n```", "&lt;script&gt;", "[x](<javascript:x>)", "- [x] <svg/onload=x>",
	} {
		f.Add(src)
	}
	more, err := filepath.Glob("../../markdown/testdata/*.md")
	assert.NoError(f, err)
	for _, name := range more {
		src, err := os.ReadFile(name)
		assert.NoError(f, err)
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, got := range []string{HTML(src, Options{Top: 2, Resolve: resolve}), Line(src, Options{})} {
			assert.Equal(t, "", unsafe.FindString(got), "%q leads to %s", src, got)
		}
	})
}
