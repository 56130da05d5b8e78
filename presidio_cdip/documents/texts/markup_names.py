"""List the names of HTML by what stands there: elements within lines, attributes by their kind."""

from presidio_cdip.documents.texts.sources import words

INLINE = words(
    "a abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd mark nobr q rb "
    "rp rt ruby s samp small span strike strong sub sup time tspan tt u var wbr data "
    "textpath o:p st1:personname st1:place st1:city st1:date"
)
"""Elements that do not part the text they stand in."""

VOID = words("area base br col embed hr img input link meta param source track wbr")
"""Elements that have no end."""

RAW = words("script style xmp iframe noembed noframes plaintext")
"""Elements in which nothing is markup."""

ESCAPABLE = frozenset(("title", "textarea"))
"""Elements in which nothing but entities is markup."""

SAME_BLOCK = words("br td th dt dd label option legend summary figcaption")
"""Elements after which what belongs to them may go on; other blocks end a thought."""

URLS = words(
    "action archive background cite codebase data formaction href icon longdesc manifest "
    "ping poster profile src usemap xlink:href srcset imagesrcset classid dynsrc lowsrc"
)
"""Attributes that hold addresses."""

LISTS = words("archive imagesrcset ping profile srcset")
"""Attributes that hold several addresses."""

IDENTIFIERS = words(
    "aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage "
    "aria-flowto aria-labelledby aria-owns class contextmenu for form headers id itemprop "
    "itemref list name part popovertarget property rel rev slot scope style xml:id"
)
"""Attributes that hold names; they are read where these look like values."""

STRUCTURAL = words(
    "accept accept-charset align allow allowfullscreen aria-atomic aria-busy "
    "aria-checked aria-current aria-disabled aria-expanded aria-haspopup aria-hidden "
    "aria-level aria-live aria-modal aria-multiline aria-orientation aria-posinset "
    "aria-pressed aria-readonly aria-relevant aria-required aria-rowcount aria-selected "
    "aria-setsize aria-sort async autocapitalize autocomplete autofocus autoplay axis "
    "bgcolor border cellpadding cellspacing charset checked clear color cols colspan compact "
    "controls coords crossorigin d declare decoding defer dir dirname disabled draggable "
    "enctype enterkeyhint face fill fill-opacity fill-rule font-family font-size font-weight "
    "formenctype formmethod formnovalidate formtarget frame frameborder gradienttransform "
    "gradientunits height hidden high hreflang hspace http-equiv imagesizes inert inputmode "
    "integrity is ismap itemscope itemtype kind lang language link loading loop low "
    "marginheight marginwidth max maxlength media method min minlength multiple muted nohref "
    "nomodule nonce noresize noshade novalidate nowrap offset open opacity optimum "
    "playsinline points preload preserveaspectratio prefix r radiogroup readonly "
    "referrerpolicy required reversed role rows rowspan rules rx ry sandbox scrolling "
    "selected shadowrootmode shape size sizes span spellcheck start step stroke "
    "stroke-linecap stroke-linejoin stroke-width tabindex target text-anchor transform "
    "translate type typeof valign vector-effect version viewbox vlink vocab vspace width "
    "wrap x x1 x2 xml:lang xml:space y y1 y2 cx cy dx dy alink"
)
"""Attributes that say how something looks or works, in words that HTML gives."""

JSON_TYPES = frozenset(("application/ld+json", "application/json", "importmap",
                        "speculationrules", "application/manifest+json"))  # fmt: skip
"""Types of scripts that are data."""

TEXT_TYPES = ("text/html", "text/plain", "text/template", "text/x-", "text/ng-", "text/xml",
              "text/markdown", "x-tmpl", "application/xml")  # fmt: skip
"""The beginnings of the types of scripts that are texts."""
