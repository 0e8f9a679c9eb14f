import Foundation
import Raster
import Testing

/// Small JPEG files and their pixels as Pillow 13.0 with libjpeg-turbo 3.2 decodes them; CMYK ones
/// converted by Pillow's `convert("RGB")`, that is (255 - C)(255 - K) / 255.
///
/// gray to rgb: 20 x 12, `Image.save` at quality 90. cmyk and ycck: 16 x 8, libjpeg with an Adobe
/// marker; plaincmyk: the same without the marker, so that
/// its inks are not inverted (Pillow inverts them nevertheless, which is undone here).
struct JPEGSample: Sendable, CustomTestStringConvertible {
    var name: String
    var pixelFormat: PixelFormat
    var summary: String
    var file: Data
    var pixels: Data

    var testDescription: String { name }

    init(
        _ name: String, _ pixelFormat: PixelFormat, _ summary: String, file: String, pixels: String
    ) {
        self.name = name
        self.pixelFormat = pixelFormat
        self.summary = summary
        self.file = Self.decode(file)
        self.pixels = Self.decode(pixels)
    }

    /// The sample of a name.
    static func named(_ name: String) throws -> JPEGSample {
        try #require(all.first { $0.name == name })
    }

    private static func decode(_ base64: String) -> Data {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            preconditionFailure("a sample is not base64")
        }
        return data
    }

    static let all = [
        JPEGSample(
            "gray", .gray8, "JPEG, gray",
            file: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsN
                DhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAAMABQBAREA/8QAHwAAAQUBAQEBAQEAAAAA
                AAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEI
                I0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1
                dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
                4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APnzRfgx939x+ld9onwY+7+4/Su0tPgx+5H7j9K9Z0Tw
                tp3y/ua77RPC2nHb+5rtLXwtp4hH7mv/2Q==
                """,
            pixels: """
                HiAkJiksLzE1Nzs+QENHSUxOUlQoKy4xMzY6PD9CRUhLTlFUV1lcXjQ3Oj0/QkZIS05RVFdaXWBjZWhq
                P0JFSEpNUVNWWVxfYmVoa25wc3VLTVFTVllcX2JkaGttcHR2eXt/gVZYXF5hZGdqbW9zdnh7f4GEhoqM
                YmRnam1wc3V5e3+ChIeLjZCSlZhsb3J1d3p+gIOGiYyPkpWYm52gonh6foGDhoqMj5KVmJqdoKOnqayv
                goSIi42QlJaanJ+ipaerrbGztrmPkpWYm56hpKeprbCytbi7vsDDxpibnqGkp6qtr7K1uLu+wcTHyczO
                """),
        JPEGSample(
            "ycbcr420", .rgb8, "JPEG, YCbCr",
            file: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsN
                DhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQU
                FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAMABQDASIAAhEBAxEB/8QA
                HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh
                MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
                V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG
                x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQF
                BgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAV
                YnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
                hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
                8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD580X4Mfd/cfpXfaJ8GPu/uP0r6N0Twtp3y/ua77RPC2nHb+5r
                9U4u4+xfvbn5zwJxzivc3Pmi0+DH7kfuP0or7LtfC2niEfuaK/mqrx9i/aS33P7Aocc4r2Ud9j//2Q==
                """,
            pixels: """
                AQP0BwTzEgbuHgXnKgThNwXaRATWTgTNWQbKZAXBcga+fga2jASwmQOqpAalrgWguwSaxQST0AaO1geL
                BRL3DBP3FhTxIxTrLxPkPBPdSRTYVBPRXxPLaRXFdhS/gxS5kRO0nhOuqBSosxSkwBSeyxOX1RSR2xWO
                BibzDSjzFynvJCjpMSfgPifaTCfWVSfPYCjJayjDeCi9hSi1kiiwnyiqqSimtCiiwSicyyiT1SmN3CqK
                BjruCzzuFz3qIj3kMTvbPjrVSjzRVDvKYDzEazy+dz24gz2xkjyrnTylqDyhtDydvz2XyjyO1T2I2z6F
                BVDpClHnFlLkIVLdMFDXPVDQSFHKVFHEX1K+alG3dlKyg1KtkFCkm1GeqFKbslGWvlKQyFGJ1VKE21OB
                BWTkCWXiFmbfIGbYL2XSO2XLSGTFVGW/X2W5aGWydmavg2aokGSfm2WZqGaWsmWRvWWLyGWE1GZ/22d8
                B3jiDHngF3ncInnWMXjQPnnJSnjDU3i8YHq3anmweHqthXqlknidnXiXqnqUtHmPwHmJynmC1Xl83Xt6
                BordDYzdF4zZJIzTL4vKPIvESoy+VYu3YIyzao2td4ynhIyhkoyan4uUqYyQtIyKwYyGy4t/1Y132412
                Bp/ZDZ/YGKHVJKHPMp/GPp/ATKC8VaC1YaCxbKCreaClhqCdkp+Vnp+PqKCLtKCHwqGCzKB716F136Jz
                B7HVC7LUGLPRI7PLMLLCPbK8S7K3VrKxYrOsa7OleLOhhbOZk7KSnbKLqrOIs7KCwLN+y7N31rNx3bVv
                CsXUEMjUG8jPJsjKNcfEQce8Tse2WMiwZMmrbsikfMihh8mZlciQoMiKq8iGt8iCxMh8zsd22chw4cpt
                DdPWFNTVHtXRK9XMONTGRdW+UtS4XdWyZtWrctWmftWii9WamNWSpdSMr9WIutWEx9V+0dV33dVy49Zu
                """),
        JPEGSample(
            "ycbcr444", .rgb8, "JPEG, YCbCr",
            file: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsN
                DhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQU
                FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAMABQDAREAAhEBAxEB/8QA
                HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh
                MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
                V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG
                x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQF
                BgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAV
                YnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
                hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq
                8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD580X4Mfd/cfpX9q5vxPv7x+c5DxLt7x32ifBj7v7j9K/E834n
                394/ovIeJdveO0tPgx+5H7j9K/JcTxP+8fvH7pg+Jf3K949Z0Twtp3y/ua+qzfMMRrqf435Dj6+mp32i
                eFtOO39zX4pm+YYjXU/ovIcfX01O0tfC2niEfua/JMTmGI9o9T91wePr+xWp/9k=
                """,
            pixels: """
                AgH/CwD6GQHzJQDsMAHnPQDhSgDZUwDUYgHNawDIeQHDhgG8kAC3nQCxrACqtAGlwAGeywCY2gCS4wCN
                AhL7DBP3GRPxJhPpMBLkPRLeSxPYVBPTYhLLbBPHeRO/hhO5kRO0nhOuqxOmtRSiwhOczBOV2RKP4xKK
                ACn1CirxFynrJCrkLineOyjZSSnSUinNYCnFainBdym6hCm0kCmunSmoqimgsyqcwCqWyimQ2CmI4SiF
                ADzyCj3uFz3mJD3gLjzaOzzUST3NUj3IYDzAaj28dz21gz2vjz2rnD2lqjydsz6Zvz6Ryj2M2DyF4TyA
                AlDyC1DrGVHmJU/fMk/ZPk/TS0/MVVDIYlDAa1C7eVG0hlCukU+nnk+irFCdtVCWwVCQy1CJ2lCE409/
                AmTtC2PoGWThJWPaMWPUPmPOS2PHVGTDYmS7a2O2eWSxhWSpkWOknmKerGOYtWOTwGSLy2OG2mN/42N8
                AHrnCXriFnraInrUL3nOPHnJSXnBUnm8YXm1aXqweHqrg3ukj3mfnHmZqnqSs3qNwHqFyXqA13l54Xp1
                AIzjCo3fF4zZJI3RL4vMPIvGSozAU4u6YIyzaoyvd4ynhIyhkIybnYyWqoyOtIyKwYyEyox92It34Yty
                AaHfCKHaGKLTJKHNL6HGPKDASqK6U6G1YaGta6KpeKGjhKGcj6CWnKCRqKCJsqGFwKJ+y6F32aFy46Ft
                AbLbCrLWGLPRJbPJMLHEPLK+S7K3U7OyYrOsa7OneLOhhbOZkbKVnbGOq7KItLKCwrN8y7N12bJv47Nr
                AcnYC8rUGMrMJcrGMsnAP8m6S8mzVMuvYsqpa8qiecudhsqXksmQn8mKq8mDtcp/wsp3zclw2clq48pm
                AtnSDNrOGdrJJtrBMdq9Ptm3S9qvVdqrYtmjbNmfedmZhtmRkdmNntmHq9l/tdp7wdp0zNlt2thn49hi
                """),
        JPEGSample(
            "progressive", .rgb8, "JPEG, YCbCr, progressive",
            file: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsN
                DhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQU
                FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wgARCAAMABQDASIAAhEBAxEB/8QA
                FgABAQEAAAAAAAAAAAAAAAAABwAF/8QAFQEBAQAAAAAAAAAAAAAAAAAABgf/2gAMAwEAAhADEAAAAT3f
                R99UcM5mppYP/8QAGhAAAgMBAQAAAAAAAAAAAAAAAAMCBAURIf/aAAgBAQABBQJOMJxiON4mqsTVWRqr
                5//EABoRAAICAwAAAAAAAAAAAAAAAAAFAQMCEiH/2gAIAQMBAT8BRPLeGDy3WD//xAAaEQACAgMAAAAA
                AAAAAAAAAAAABQEDAhIh/9oACAECAQE/AW7+3pk/t2k//8QAFRABAQAAAAAAAAAAAAAAAAAAADH/2gAI
                AQEABj8CiIiI/8QAFxAAAwEAAAAAAAAAAAAAAAAAABAhMf/aAAgBAQABPyHM5r8hkWf/2gAMAwEAAgAD
                AAAAEMMv/8QAFxEBAAMAAAAAAAAAAAAAAAAAADFBUf/aAAgBAwEBPxDdXqH/xAAXEQEAAwAAAAAAAAAA
                AAAAAAAAMUFR/9oACAECAQE/ENJdJf/EABkQAAIDAQAAAAAAAAAAAAAAAAABECHxwf/aAAgBAQABPxDF
                M0rcxx8EkH//2Q==
                """,
            pixels: """
                AQP0BwTzEgbuHgXnKgThNwXaRATWTgTNWQbKZAXBcga+fga2jASwmQOqpAalrgWguwSaxQST0AaO1geL
                BRL3DBP3FhTxIxTrLxPkPBPdSRTYVBPRXxPLaRXFdhS/gxS5kRO0nhOuqBSosxSkwBSeyxOX1RSR2xWO
                BibzDSjzFynvJCjpMSfgPifaTCfWVSfPYCjJayjDeCi9hSi1kiiwnyiqqSimtCiiwSicyyiT1SmN3CqK
                BjruCzzuFz3qIj3kMTvbPjrVSjzRVDvKYDzEazy+dz24gz2xkjyrnTylqDyhtDydvz2XyjyO1T2I2z6F
                BVDpClHnFlLkIVLdMFDXPVDQSFHKVFHEX1K+alG3dlKyg1KtkFCkm1GeqFKbslGWvlKQyFGJ1VKE21OB
                BWTkCWXiFmbfIGbYL2XSO2XLSGTFVGW/X2W5aGWydmavg2aokGSfm2WZqGaWsmWRvWWLyGWE1GZ/22d8
                B3jiDHngF3ncInnWMXjQPnnJSnjDU3i8YHq3anmweHqthXqlknidnXiXqnqUtHmPwHmJynmC1Xl83Xt6
                BordDYzdF4zZJIzTL4vKPIvESoy+VYu3YIyzao2td4ynhIyhkoyan4uUqYyQtIyKwYyGy4t/1Y132412
                Bp/ZDZ/YGKHVJKHPMp/GPp/ATKC8VaC1YaCxbKCreaClhqCdkp+Vnp+PqKCLtKCHwqGCzKB716F136Jz
                B7HVC7LUGLPRI7PLMLLCPbK8S7K3VrKxYrOsa7OleLOhhbOZk7KSnbKLqrOIs7KCwLN+y7N31rNx3bVv
                CsXUEMjUG8jPJsjKNcfEQce8Tse2WMiwZMmrbsikfMihh8mZlciQoMiKq8iGt8iCxMh8zsd22chw4cpt
                DdPWFNTVHtXRK9XMONTGRdW+UtS4XdWyZtWrctWmftWii9WamNWSpdSMr9WIutWEx9V+0dV33dVy49Zu
                """),
        JPEGSample(
            "rgb", .rgb8, "JPEG, RGB",
            file: """
                /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4S
                EA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAEQgADAAUA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEB
                AAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQy
                gZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp
                anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY
                2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAwDUgBHAEIAAD8A+Gvgl/y7/hXzJ/wyT/05f+O196+N/En+
                s+ev0A+CX/Lv+FH/AAyT/wBOX/jtfP8A438Sf6z56+2PCf8AyBIaP+GSf+nL/wAdrxPVvEn+mv8APX4T
                /BL/AJd/wr9aP+FbaD/z6fqP8K+pPG9/N+8+av0A+CX/AC7/AIUf8K20H/n0/Uf4V8/+N7+b9581fbHh
                P/kCQ0f8K20H/n0/Uf4V4nq1/N9tf5q//9k=
                """,
            pixels: """
                AAD/DAD5GQDyJADsMADnPADhSADaVADVYADPbADJeQDChAC8kAC3nACxqACqtAClwACeywCZ2QCS4wCO
                ABP7DBP2GRPvJBPpMBPkPBPdSBPWVBPRYBPLbBPGeRO/hBO5kBO0nBOtqBOmtBOhwBObyxOW2ROP4xOK
                ACn2DCnxGSnqJCnkMCnfPCnZSCnSVCnNYCnGbCnBeSm6hCm0kCmvnCmpqCmitCmdwCmWyymR2SmK4ymF
                ADzyDDztGTzmJDzgMDzbPDzVSDzOVDzJYDzCbDy9eTy2hDywkDyrnDylqDyetDyZwDySyzyN2TyG4zyB
                AFDvDFDqGVDjJFDdMFDYPFDSSFDLVFDFYFC/bFC6eVCzhFCtkFConFCiqFCbtFCVwFCPy1CK2VCD41B+
                AGPrDGPmGWPfJGPZMGPUPGPOSGPHVGPCYGO7bGO2eWOvhGOpkGOknGOeqGOXtGOSwGOLy2OG2WN/42N6
                AHjmDHjhGXjaJHjUMHjPPHjJSHjCVHi9YHi2bHixeXiqhHikkHifnHiZqHiStHiNwHiGy3iB2Xh643h1
                AIzjDIzeGYzXJIzRMIzLPIzFSIy+VIy5YIyzbIyueYynhIyhkIybnIyVqIyOtIyJwIyDy4x92Yx344xy
                AJ/fDJ/aGZ/TJJ/NMJ/HPJ/BSJ+6VJ+1YJ+vbJ+qeZ+jhJ+dkJ+XnJ+RqJ+KtJ+FwJ9/y5952Z9y459u
                ALXbDLXWGbXPJLXJMLXEPLW+SLW3VLWxYLWrbLWmebWfhLWZkLWUnLWOqLWHtLWBwLV7y7V22bVv47Vq
                AMfWDMfRGcfKJMfEMMe/PMe5SMeyVMetYMembMeheceahMeUkMePnMeJqMeCtMd9wMd2y8dx2cdq48dl
                AN7TDN7OGd7HJN7BMN68PN62SN6vVN6qYN6jbN6eed6XhN6RkN6MnN6GqN5/tN56wN5zy95u2d5n495i
                """),
        JPEGSample(
            "cmyk", .rgb8, "JPEG, CMYK",
            file: """
                /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4S
                EA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEB
                AQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQci
                cRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm
                Z2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV
                1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD5I/Zk/wCXT8Ki/wCHW/8A1CP/
                ACHX3r8W/wDlt+NfoR/wsn/pr+tfrX+zJ/y6fhR/w63/AOoR/wCQ6+Kvi3/y2/Gj/hZP/TX9a//Z
                """,
            pixels: """
                AAD/EAD1IgDrMwDiRADWVADNZgDDdwC5iACvmAClqgCbuwCSzACG3QB97wBz/wBpACP3DyPtISPkMSPb
                QiPPUSPHYyO9cyOzhCOqkyOgpSOWtSONxiOC1iN56CNv9yNmAETvD0TmIETcMETUQETJT0TAYES3cESt
                f0SkjkSbn0SRr0SJv0R+z0R14ERs70RiAGHnDmHeH2HVLmHNPmHCTGG6XGGxbGGoe2GfimGVmmGMqWGE
                uWF5yGFx2WFo52FfAH/fDn/WHn/OLX/GO3+7SX+zWX+raH+id3+ZhX+QlX+IpH+Asn91wX9t0X9l339c
                AJfXDZfPHZfGK5e/OZe0R5etVpekZJecc5eUgJeLj5eDnpd7rJdxupdpypdh15dZALDPDbDHHLC/KbC3
                N7CuRLCmU7CeYbCWbrCOe7CGirB+mLB3prBts7BlwrBdz7BVAMXHDMW/G8W3KMWwNcWnQsWgUMWYXcWQ
                asWJd8WBhcV5ksVyn8VprMViu8Vax8VS
                """),
        JPEGSample(
            "ycck", .rgb8, "JPEG, YCCK",
            file: """
                /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4S
                EA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/9sAQwEDBAQFBAUJBQUJFA0LDRQUFBQUFBQUFBQUFBQU
                FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU/8AAFAgACAAQBAEiAAIRAQMRAQQiAP/E
                AB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUS
                ITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RV
                VldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TF
                xsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgME
                BQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1Lw
                FWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKD
                hIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp
                6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwDb8Sftg/e/03/x6vK/En7YH3v9O/8AHqKK8fw34Tyr3P3f
                9fcfo3irwRkn7z913/rY/Qj/AIWT/wBNf1o/4WT/ANNf1oor/9k=
                """,
            pixels: """
                AAjtBQjrGAfjKQfaOgjMSQnCWgq5awmufQimjwaaoAiRsQiHwAp50glx5Ahq7ghoBSLvDyLsICHlMSHd
                QCLPUCPGYCW8cCOxhSOqlSKgpCOWtCOLxCR/1SN26CNx8CNtBkPoD0PmIEPeMULWQUPKUEO/YEW3cEOs
                gkOmkkKdoUSSsUSJvkV70EV04URu6kRsBWHgDmLeH2HWL2DPP2HETWK5W2Owa2GofWGgjF+Wm2KMqmKD
                uGN4yGNv2WJp42JnBX3aDn3XH37RLn3IPX6+S361WX+rZn+ien2ciHyTln2Jo35/sn90wX5s0X1n3H1l
                BJfRDZfPHZbJLJbAOpe2SJetVJmlY5icdJaVg5SNjpeDnJd5qphuuZdoypdj05dhBbDJDq/HHK/ALK+6
                Oa+vR7CoUrKeYLCXca+Qf66Hi7B+mLB2prFstLBlw69ezK9dDL7HFL7GI77AMr67Pb6wS7+pV8CgZL6Y
                dL6Rgr2Kjb6Bm754psBvtL9pxL5jx75g
                """),
        JPEGSample(
            "plaincmyk", .rgb8, "JPEG, CMYK",
            file: """
                /9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV
                DA8XGBYUGBIUFRT/wAAUCAAIABAEQxEATREAWREASxEA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQF
                BgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk
                M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG
                h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx
                8vP09fb3+Pn6/9oADgRDAE0AWQBLAAA/APkj9mT/AJdPwqL/AIdb/wDUI/8AIdfevxb/AOW341+hH/Cy
                f+mv61+tf7Mn/Lp+FH/Drf8A6hH/AJDr4q+Lf/Lb8aP+Fk/9Nf1r/9k=
                """,
            pixels: """
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAcABwcABwcBBgcB
                BgcBBQcCBQcCBAcCBAcDAwcDAwcDAgcDAgcEAQcEAQcEAAcFEAsADwsBDgsBDQsCDAsDCwsDCgsECQsE
                BwsFBgsGBQsGBAsHAwsIAgsIAQsJAAsJGA4AFg4BFQ4CEw4DEg4EEA4FDg4GDQ4HCw4ICg4ICA4JBg4K
                BQ4LAw4MAg4NAA4OIA4AHg4BHA4DGg4EFw4FFQ4GEw4IEQ4JDw4KDQ4LCw4NCQ4OBg4PBA4QAg4SAA4T
                KAwAJQwCIwwDIAwFHQwGGwwIGAwJFQwLEwwNEAwODQwQCwwRCAwTBQwUAwwWAAwYMAcALQcCKgcEJgcF
                IwcIIAcJHQcLGgcNFgcPEwcREAcTDQcVCgcXBgcYAwcaAAccOAEANAECMQEELQEGKQEJJgELIgENHgEP
                GgESFwEUEwEWDwEYCwEbBwEdBAEfAAEh
                """),
    ]
}
