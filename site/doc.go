// Package site renders pages about specs: data in, bytes out. Only build.go touches files: it writes the pages into a
// folder. Package site/serve shows them live.
//
// # Rules
//
//   - A page is complete without scripts, and loads nothing but the style sheet, scripts and icon of its own site.
//   - The address of a spec is made of its id alone, so that links keep working when it is archived.
//   - All links are relative: a site works in any folder of any server, and from a disk.
//   - The same data gives the same bytes.
//   - What specs contain is escaped by html/template, or rendered by package site/prose.
//   - Colours meet WCAG AA, in the light and in the dark.
//
// # Decisions
//
// 2026-11-26: templates and files of .chant/site replace those of the same name, one by one. Rejected: to require all of
// them, because a project that changes one page would have to follow every change of the others.
package site
