// Package config reads the settings of a project, `.chant/config.md`, and the files of its own providers.
//
// It does not know the project: it gets a folder or bytes, and returns values. An error names file and line.
// ReadWhatFits reads what is right in a broken file and keeps what is wrong, for the command that checks the settings.
//
// # Rules
//
//   - A field of Config is a row of the table of settings: key, type, rule and comment. Rules has the function that
//     reads the values of a rule. Reading, the check of the settings and `chant config` all follow these fields.
//   - What several values must satisfy together is the CheckWhole of their type.
//   - The settings of the user are read before those of the project, which count more; the agents of the machine are read last, and
//     replace those of the project. Neither can set what decides whether work lands or is verified.
//
// # Decisions
//
// 2026-11-29: the settings of the user have only sections by which agents work, and others are errors. Rejected: all sections, as
// in the older chant, since evidence would then hold or not by the file of the person who verifies it; and leaving others out without
// an error, since a person would rely on gates that do not exist.
//
// 2026-11-23: settings have plain types, and a tag names the rule of a single value. Rejected: a type with an
// UnmarshalYAML for each format, of which there were 25, and a list of rows {key path, pointer, rule} beside the
// fields, which repeats each key. Three types keep their UnmarshalYAML, as a table is worse for them: DerivedKeys, a
// mapping whose order counts and whose patterns depend on another key; arguments, a list of words and of lists; and
// commandList, which decodes the commands of verify as package spec does. The other keys of verify are types of
// that package, which decodes them for specs too; a shape.Outline names their keys for the check of the settings.
package config
