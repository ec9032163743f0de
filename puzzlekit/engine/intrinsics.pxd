# The functions of intrinsics.py, by the intrinsics of compilers.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define puzzlekit_fetch(table, at) __builtin_prefetch((table) + (at))
    #define puzzlekit_clear_bits(table, at, bits) \
        ((void)__atomic_fetch_and((table) + (at), (unsigned char)~(bits), __ATOMIC_RELAXED))
    #elif defined(_MSC_VER)
    #include <intrin.h>
    #if defined(_M_X64) || defined(_M_IX86)
    #define puzzlekit_fetch(table, at) _mm_prefetch((const char*)((table) + (at)), _MM_HINT_T0)
    #else
    #define puzzlekit_fetch(table, at) __prefetch((table) + (at))
    #endif
    #define puzzlekit_clear_bits(table, at, bits) \
        ((void)_InterlockedAnd8((char*)((table) + (at)), (char)~(bits)))
    #else
    #error "it is not known how this compiler changes a byte in one step"
    #endif
    """
    void fetch "puzzlekit_fetch"(unsigned char* table, Py_ssize_t at) noexcept nogil
    void clear_bits "puzzlekit_clear_bits"(unsigned char* table, Py_ssize_t at, int bits) noexcept nogil
