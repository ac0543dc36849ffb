//! The macro that declares a section.

/// Declares a section: its struct with one typed field per option, and the description of each option.
///
/// `field: Type = "default", kind KIND, for COMMANDS, short 'x', secret true;`. The kind is given where it does not
/// follow from the type; the last two are optional. The doc comment is the help text.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident in $section:ident;
        $(
            $(#[doc = $help:literal])+
            $field:ident: $type:ty = $default:expr $(, kind $kind:expr)?, for $commands:expr
                $(, short $short:literal)? $(, secret $secret:literal)?;
        )+
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )+
        }

        #[allow(non_upper_case_globals, reason = "a key is named like the field of its option")]
        impl $name {
            $(
                /// The key of the option.
                pub const $field: &'static str = {
                    const SECTION: &str = $crate::section::Section::$section.name();
                    const FIELD: &str = stringify!($field);
                    const KEY: [u8; SECTION.len() + 1 + FIELD.len()] = $crate::key::bytes(SECTION, FIELD);
                    $crate::key::text(&KEY)
                };
            )+
        }

        impl $name {
            pub(crate) const ABOUT: &'static str = concat!($($about),+);

            pub(crate) const DEFINITIONS: &'static [$crate::definition::Definition] = &[
                $( $crate::definition::Definition {
                    section: $crate::section::Section::$section,
                    field: stringify!($field),
                    kind: $crate::section_macro::section!(@kind $type $(, $kind)?),
                    arity: <$type as $crate::field::Field>::ARITY,
                    default: $default,
                    help: concat!($($help, "\n"),+),
                    short: $crate::section_macro::section!(@short $($short)?),
                    secret: $crate::section_macro::section!(@secret $($secret)?),
                    commands: $commands,
                }, )+
            ];

            /// Reads the text chosen for each option.
            pub(crate) fn read(resolved: &$crate::resolved_settings::ResolvedSettings) -> Result<Self, $crate::error::SettingsError> {
                Ok(Self { $( $field: resolved.read(stringify!($field))?, )+ })
            }
        }
    };
    (@kind $type:ty) => {
        match <$type as $crate::field::Field>::KIND {
            Some(kind) => kind,
            // While it is compiled: the definitions are constants.
            None => panic!("the type has no kind of its own"),
        }
    };
    (@kind $type:ty, $kind:expr) => { $kind };
    (@short) => { None };
    (@short $short:literal) => { Some($short) };
    (@secret) => { false };
    (@secret $secret:literal) => { $secret };
}
pub(crate) use section;
