//! All integration tests are one program, which is compiled and linked once. Each module tests one
//! subject.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test prints what it measures and what it skips"
)]
#![cfg_attr(not(unix), allow(dead_code, reason = "some helpers serve tests that need Unix"))]

// Helpers that several tests use.
#[cfg(unix)]
mod bounded;
mod dialogue;
mod hex_help;
mod imports;
mod quoridor_help;
mod quoridor_net;
mod review;
#[cfg(unix)]
mod screen;
mod sentences;
mod stops;
mod support;
mod tictactoe_help;
mod tui_harness;

#[path = "../../examples/check_hex_proof.rs"]
#[allow(dead_code, reason = "its main function is for files")]
mod check_hex_proof;

// Tests.
mod activities;
mod ai;
mod analysis;
mod analysis_keys;
mod analysis_speed;
mod archive;
mod arena_jobs;
mod arena_openings;
mod arena_records;
mod arena_stats;
mod beginners;
mod board;
#[cfg(unix)]
mod choosing_files;
mod clocks;
#[cfg(unix)]
mod cluster;
mod commands;
mod comments;
mod config;
mod consequences;
#[cfg(unix)]
mod continuing;
#[cfg(unix)]
mod disk_full;
mod doc_comments;
mod endings;
mod english;
mod ep5;
mod escape_keys;
mod evaluator;
mod event_loop;
#[cfg(unix)]
mod file_ends;
mod file_kinds;
mod finishing;
mod first_looks;
mod floods;
mod fourth_game;
mod fuzzing;
mod game_files;
mod gtp;
mod hex_certificates;
mod hex_classic;
mod hex_engines;
mod hex_finishing;
mod hex_links;
mod hex_play;
mod hex_proof;
mod hex_rules;
mod hex_screen;
mod hex_search_proofs;
mod hex_text;
mod hex_won_positions;
mod hexgrid;
#[cfg(unix)]
mod history_navigation;
mod journal;
#[cfg(unix)]
mod journal_failures;
mod json;
mod key_laws;
mod key_stages;
mod keys;
#[cfg(unix)]
mod kills;
#[cfg(unix)]
mod large_boards;
mod laws;
mod layers;
mod layout_count;
mod legend;
mod lessons;
mod line_mode;
mod lists;
mod menu;
mod names;
mod net;
mod net8;
#[cfg(unix)]
mod no_overwrite;
#[cfg(unix)]
mod odd_files;
mod overlays;
mod own_mistakes;
mod package;
mod page;
mod panels;
mod paste;
mod phrases;
mod picture;
mod places;
mod plain_english;
#[cfg(unix)]
mod playing_on;
mod practising;
#[cfg(unix)]
mod programs;
mod protocol;
mod pty;
mod qtp;
mod qtp_games;
mod qtp_laws;
mod qtp_process;
mod quoridor_book;
mod quoridor_engines;
mod quoridor_play;
mod quoridor_rules;
mod quoridor_running;
mod quoridor_screen;
mod quoridor_search;
mod quoridor_solved;
mod quoridor_text;
mod random;
mod random_commands;
mod readme;
mod records;
mod referee;
mod refusals;
mod remarks;
mod repetition;
mod replay;
mod reproducible;
mod review_command;
mod review_values;
mod rules_pages;
mod saving;
mod screen_keys;
mod screen_laws;
mod screens;
mod scripted_sessions;
mod selfplay;
mod sgf;
mod shards;
#[cfg(unix)]
mod silent_engine;
mod small_windows;
#[cfg(unix)]
mod soak;
mod spans;
#[cfg(unix)]
mod strength;
mod symmetry;
#[cfg(unix)]
mod system_calls;
#[cfg(unix)]
mod terminal;
mod terminal_input;
#[cfg(unix)]
mod terminal_restore;
mod text;
mod themes;
mod threads;
mod tictactoe;
mod tictactoe_certificates;
mod tictactoe_engines;
mod tictactoe_screen;
mod tictactoe_unbeatable;
mod tiles;
mod training;
mod transcripts;
mod tuning;
mod untrusted_input;
mod words;
