// Package exchange moves tasks between chant and other tools: Import makes specs and sprints of a `.tasks` directory of
// lotar, Export writes such a directory, and ImportFrom makes specs of what package tracker reads.
//
// # Rules
//
//   - An import is one commit, and does not change the directory. A task whose number a spec already has, and a sprint
//     that chant already has, are left alone and reported; so a second import adds only what is new.
//   - Nothing is imported if a file cannot be read, unless the caller asks to skip such files, as the import before a first
//     change does: it imports such a file with the next change after it was repaired.
//   - An import loses nothing. What a spec has no key for, and values that it would give back in another form, are in
//     its key `lotar`. Export writes them again until what they replace is edited.
//   - An export is complete or not there: it is built beside its place and then renamed.
//   - What ImportFrom has imported before is merged: what changed there comes, what changed here stays. Specs that are archived,
//     removed or being worked are left alone.
//   - Imported tasks keep their statuses without the events that would lead there, because these happened elsewhere.
//
// # Decisions
//
// 2026-11-29: .chant/imports keeps the items as they were last read, and a later import merges the specs that they make with
// the present ones as the merge driver does (package versions). Rejected: digests of each value in the spec, by which only
// whole values can be compared; and the commit of the last import as the base, which a squash or a silent project lacks.
//
// 2026-11-29: the parts of an item are listed in `members` of its spec. Rejected: numbered ids below it, since a part may get
// another parent there, and an id cannot change.
//
// 2026-11-28: a .tasks directory is read in place until the first change, which imports all of it: what a list shows
// before is what the import would create (Preview), as files in memory, so that lists, filters and reports exist once.
// Rejected: a second kind of task that is read from YAML, with its own filters and reports; and to import with the first
// read, which would change a repository by looking at it.
//
// 2026-11-28: .chant/tasks/imported names what was imported, in the commit of the import. Rejected: to compare with the
// specs alone, with which a task that was deleted comes back; and to remove the files, which other clones may still use.
//
// 2026-11-28: the id of an imported task follows from its number and the time of its creation, so that two clones that
// import the same directory make the same files. Rejected: three random characters, as for new specs.
//
// 2026-11-23: the key `lotar` has, for each value, a digest of what the spec says in its place, so that an edit in
// chant takes precedence. Rejected: unknown keys in custom_fields, where they would look like fields of the project;
// and the whole file of the task in the spec, which would outdate with the first edit.
//
// 2026-11-23: `blocks` of a task becomes depends_on of the other. Rejected: a key of its own, because both would have
// to agree.
//
// 2026-11-23: boxes of the criteria of a completed task are ticked. Rejected: leaving them open, because a completed
// spec with open criteria is reported as a fault by every check.
//
// 2026-11-23: a relationship to a task that does not exist stays in the key `lotar` only, with a warning. Rejected:
// depends_on with an id that names nothing, because the spec could never start.
//
// 2026-11-23: specs without a number get one in an export, after those of the default project, and only there.
// Rejected: leaving them out, because an export of a project that never used numbers would be empty.
package exchange
