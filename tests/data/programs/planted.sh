#!/bin/sh
# A player of Hex over GTP that does one thing wrong from its second move on: planted.sh FAULT [MARK]. Otherwise it takes the
# first free cell, row by row. The mark is for those who look for the process.
taken=" "
moves=0

first_free() {
    row=1
    while :; do
        for column in a b c d e f g h i j k; do
            case "$taken" in *" $column$row "*) ;; *) cell=$column$row; return ;; esac
        done
        row=$((row + 1))
    done
}

fault() {
    case "$1" in
        crash) echo "my last words" >&2; exit 3 ;;
        hang) sleep 600 ;;
        deaf) trap '' TERM HUP INT; while :; do sleep 1; done ;;
        slow) sleep 1; return 1 ;;
        illegal) printf '= z99\n\n' ;;
        occupied) cell=${taken% }; printf '= %s\n\n' "${cell##* }" ;;
        garbage) printf 'I would rather not.\n\n' ;;
        nonsense) printf '= the best move\n\n' ;;
        endless) yes | tr -d '\n' ;;
        refuses) printf '? cannot think\n\n' ;;
        resign) printf '= resign\n\n' ;;
        *) return 1 ;;
    esac
}

while read -r command color cell; do
    case "$command" in
        clear_board) taken=" "; moves=0; printf '=\n\n' ;;
        boardsize) printf '=\n\n' ;;
        play)
            if [ "$1" = rejects ]; then printf '? illegal move\n\n'; continue; fi
            taken="$taken$cell "
            printf '=\n\n' ;;
        genmove)
            moves=$((moves + 1))
            if [ $moves -ge 2 ] && fault "$1"; then continue; fi
            first_free
            taken="$taken$cell "
            printf '= %s\n\n' "$cell" ;;
        quit) [ "$1" = deaf ] || { printf '=\n\n'; exit 0; } ;;
        *) printf '? unknown command\n\n' ;;
    esac
done
[ "$1" != deaf ] || fault deaf
