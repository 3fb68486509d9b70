// Package lotar reads and writes the `.tasks` directories of lotar: where they are, their settings (config.yml) and
// their files of tasks and sprints. It starts no process, does not use git, and commits nothing: what is to be written
// is returned as bytes. It does not know specs.
//
// # Rules
//
//   - A setting may be written as nested keys (`default: {project: X}`), with dots (`default.project: X`) or flat
//     (`default_project: X`), in one file mixed. All mean the same.
//   - Settings come, the later ones over the earlier, from the defaults, the config.yml of the directory, the settings
//     of the person (`~/.lotar`), the environment, and the config.yml of the project.
//   - A change of a setting replaces the bytes of its value. Comments, unknown keys and the order of keys stay.
//   - A key that is unknown is kept and shown. A value of the wrong kind is an error with path and line.
//
// # Decisions
//
// 2026-11-23: an unknown project has the settings of the directory. Rejected: an error, because projects also exist
// whose tasks are specs only, and the callers know these.
//
// 2026-11-23: `~/.lotar` may be a file, as for lotar, or a folder with a config.yml. Rejected: only a file, because
// LOTAR_HOME names a folder.
//
// 2026-11-23: an edit inside a mapping goes through the editor of front matter, with the lines of the mapping as a text
// of their own. Rejected: writing the YAML tree back, which moves comments and quotes values anew.
package lotar
