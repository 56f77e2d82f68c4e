#!/bin/sh
# Minimal GTP player for Hex. It plays the first free cell, row by row. Example of a match against it:
#   cargo run --release -- arena --game hex --engine ours=level:1 --engine "theirs=gtp:sh examples/gtp_player.sh"
columns="a b c d e f g h i j k l m n o p q r s t u v w x y z"
size=11
taken=" "

first_free_cell() {
    row=1
    while [ $row -le $size ]; do
        count=0
        for column in $columns; do
            count=$((count + 1))
            [ $count -le $size ] || break
            case "$taken" in *" $column$row "*) ;; *) cell=$column$row; return ;; esac
        done
        row=$((row + 1))
    done
    cell=resign
}

while read -r command first second; do
    answer="="
    case "$command" in
        boardsize) size=$first; taken=" " ;;
        clear_board) taken=" " ;;
        play) taken="$taken$second " ;;
        genmove) first_free_cell; taken="$taken$cell "; answer="= $cell" ;;
        quit) printf '=\n\n'; exit ;;
        *) answer="? unknown command" ;;
    esac
    printf '%s\n\n' "$answer"
done
