// Package reviewed reads and writes the comments of a review, which a spec keeps in its section "Review".
//
// Each comment is a line with its author, its time and, if it is about one, a place in a file; the text follows as a
// quote:
//
//	## Review
//
//	**Ada** - 2026-11-26 19:30 - `dates.go:12`
//	> A date without a zone is taken for UTC.
//
// It reads no files and decides nothing. People may edit the section by hand.
//
// # Rules
//
//   - A section without such a line is a part of the spec like any other, and has no comments.
//   - Time and place may be missing. What follows a comment belongs to its text, quoted or not; text before the first
//     comment is one without an author.
//   - Texts are written so that nothing in them becomes a heading, a box, a script or a comment of another author.
//   - What is written is read again as it was, apart from control characters and blanks at the ends of lines.
//
// # Decisions
//
// 2026-11-26: comments are prose in a section of their own. Rejected: the key `comments` of front matter, which has the
// comments of tasks, agents may write it; and the discussion of the approval, which agents are not given to read.
//
// 2026-11-26: comments are part of what an approval covers, because the next agent works by them: a comment after an
// approval makes the approval outdated, and an approval that follows covers it. Rejected: leaving them out, as the
// discussion is, since then anyone who can commit could direct an agent past an approval.
package reviewed
